import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLocalCluster } from '../../cluster/local.ts'
import { lockForChanges } from '../../db/lock.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { insertFlow, takeFlow } from '../auth/flows.store.ts'
import { Sessions } from '../auth/sessions.ts'
import { Factors } from '../factors/factors.ts'
import { codeAt, fromBase32, stepAt } from '../factors/totp.ts'
import { Tokens } from '../tokens/tokens.ts'
import { addUser, BLANK_USER, type StoredUser } from '../users/users.store.ts'
import { rekey } from './rekey.ts'
import { replaceSealed, sealedRows } from './sealed-rows.store.ts'
import { Secrets, type SecretsConfig } from './secrets.ts'

const [OLD, NEW] = [randomBytes(32), randomBytes(32)]
const FROM = { provider: 'home', sid: 's', idToken: 'a-token-of-the-provider' }
const FLOW = { kind: 'provider', provider: 'home', cookie: 'c', data: { verifier: 'the-verifier' } } as const

let folder: string
let db: Db
let user: StoredUser
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rekey-'))
  db = (await openDb(join(folder, 'filigree.db'), folder)).db
  user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: '' })
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

/** What a server with these keys works with. */
function serverWith(config: SecretsConfig) {
  const secrets = new Secrets(db, config)
  const cluster = openLocalCluster()
  const tokens = new Tokens({ db, cluster })
  const sessions = new Sessions({ db, cluster, tokens, secrets, key: new Uint8Array(64).fill(7), lifetime: 3_600_000 })
  return { db, secrets, sessions, factors: new Factors({ db, secrets }) }
}

const rekeyed = (config: SecretsConfig) =>
  db.transaction().execute(async transaction => {
    await lockForChanges(transaction)
    return rekey(transaction, config)
  })

const idTokenNow = async ({ sessions }: ReturnType<typeof serverWith>) => {
  const [session] = await sessions.list(user.id)
  return (await sessions.providerOf(session?.id ?? ''))?.idToken()
}

test('SEAL-02 after the key was changed, the present key opens what the former one, the one in the database, and none sealed', async () => {
  const before = serverWith({ secretKey: OLD })
  const secret = await before.factors.begin(user.id)
  await before.sessions.start(user, undefined, { way: 'oidc', from: FROM })
  await insertFlow(before, 'one', FLOW, 60_000)
  await insertFlow(serverWith({}), 'two', FLOW, 60_000)
  await insertFlow(before, 'three', FLOW, 60_000)
  const [plain] = await db.selectFrom('login_flows').select('id').orderBy('expires_at', 'desc').limit(1).execute()
  await db
    .updateTable('login_flows')
    .set({ data: JSON.stringify(FLOW.data) })
    .where('id', '=', plain?.id ?? '')
    .execute()

  expect(await rekeyed({ secretKey: NEW, secretKeyBefore: OLD })).toEqual([
    { kind: 'totp', sealed: 1, unreadable: 0 },
    { kind: 'session', sealed: 1, unreadable: 0 },
    { kind: 'flow', sealed: 3, unreadable: 0 },
  ])
  await db.deleteFrom('settings').where('name', '=', 'sealing-key').execute()
  const after = serverWith({ secretKey: NEW })
  expect(await after.secrets.findings()).toEqual([])
  expect(await idTokenNow(after)).toBe(FROM.idToken)
  for (const flow of ['one', 'two', 'three']) expect((await takeFlow(after, 'provider', flow))?.data).toEqual(FLOW.data)
  expect(await after.factors.confirm(user.id, codeAt(fromBase32(secret), stepAt(Date.now())))).toHaveLength(10)
})

test('SEAL-02 what no key opens is counted, and stays for its key', async () => {
  await serverWith({ secretKey: OLD }).sessions.start(user, undefined, { way: 'oidc', from: FROM })
  await insertFlow(serverWith({}), 'one', FLOW, 60_000)
  const config = { secretKey: NEW, secretKeyBefore: randomBytes(32) }
  expect(await rekeyed(config)).toEqual([
    { kind: 'totp', sealed: 0, unreadable: 0 },
    { kind: 'session', sealed: 0, unreadable: 1 },
    { kind: 'flow', sealed: 1, unreadable: 0 },
  ])
  const found = { code: 'secretsUnreadable', amount: 1, what: 'session: 1', lines: ['filigree secrets rekey'] }
  expect(await new Secrets(db, config).findings()).toEqual([found])
  expect(await idTokenNow(serverWith({ secretKey: NEW, secretKeyBefore: OLD }))).toBe(FROM.idToken)
})

test('the former key seals nothing', async () => {
  const sealed = await new Secrets(db, { secretKeyBefore: OLD }).seal('text', 'flow:1')
  await expect(new Secrets(db, { secretKey: OLD }).open(sealed, 'flow:1')).resolves.toBe('text')
  await db.deleteFrom('settings').where('name', '=', 'sealing-key').execute()
  await expect(new Secrets(db, { secretKey: OLD }).open(sealed, 'flow:1')).rejects.toMatchObject({
    code: 'unavailable',
  })
})

test('more secrets than are read at a time are all sealed', async () => {
  const row = { kind: 'link', provider: '', binding: '', data: '{}', expires_at: Date.now() + 60_000 } as const
  const ids = Array.from({ length: 1201 }, (_, index) => `flow-${index}`)
  for (let at = 0; at < ids.length; at += 400)
    await db
      .insertInto('login_flows')
      .values(ids.slice(at, at + 400).map(id => ({ ...row, id })))
      .execute()
  expect((await rekeyed({ secretKey: NEW })).at(-1)).toEqual({ kind: 'flow', sealed: 1201, unreadable: 0 })
  const plain = await db.selectFrom('login_flows').select('id').where('data', '=', '{}').execute()
  expect(plain).toEqual([])
})

test('a secret that a server has replaced in the meantime is kept', async () => {
  await insertFlow(serverWith({}), 'one', FLOW, 60_000)
  const { value: read } = await sealedRows(db, 'flow').next()
  await db.updateTable('login_flows').set({ data: 'newer' }).execute()
  if (read) await replaceSealed(db, read, 'older, sealed again')
  expect(await db.selectFrom('login_flows').select('data').execute()).toEqual([{ data: 'newer' }])
})
