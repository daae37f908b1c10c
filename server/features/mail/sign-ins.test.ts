import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import { LIMITS } from '../../limits.ts'
import { Sessions } from '../auth/sessions.ts'
import { Secrets } from '../secrets/secrets.ts'
import { Tokens } from '../tokens/tokens.ts'
import { unknownPassword } from '../users/password.ts'
import { addUser, BLANK_USER, deleteUser } from '../users/users.store.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { changeAddress } from './addresses.store.ts'
import type { NewMail } from './new-mail.ts'
import { noteSignIn, signInContent } from './sign-ins.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const NEWER = FIREFOX.replaceAll('140', '141')
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const HOME = { address: '192.0.2.7', agent: FIREFOX }

/** A user with an address, a clock, and the mails that were written. */
async function account() {
  const home = await mkdtemp(join(tmpdir(), 'sign-ins-'))
  const { db } = await openDb(join(home, 'f.db'))
  const user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: unknownPassword() })
  await changeAddress(db, user.id, { address: 'ann@example.org' })
  const written: NewMail[] = []
  const clock = { now: Date.now() }
  const cluster = openLocalCluster()
  const mails = { isOn: true, add: async (mail: NewMail) => written.push(mail) > 0 }
  const deps = { db, cluster, mails, now: () => clock.now }
  const onSignIn = (userId: number, device: typeof HOME) => noteSignIn(deps, userId, device)
  const signing = { secrets: new Secrets(db), key: new Uint8Array(64).fill(7) }
  const parts = { db, cluster, tokens: new Tokens({ db, cluster }), ...signing }
  const sessions = new Sessions({ ...parts, lifetime: 3_600_000, onSignIn })
  const bare = new Sessions({ ...parts, lifetime: 3_600_000 })
  onTestFinished(async () => {
    await db.destroy()
    await rm(home, { recursive: true })
  })
  /** Signs in. @returns the mails since the last time */
  const signIn = async (device: typeof HOME) => {
    await sessions.start(user, device)
    return written.splice(0).map(({ kind, data }) => ({ kind, ...data }))
  }
  return { db, user, sessions, bare, signIn, written, clock, mails }
}

test('the first sign-in of an account, and others from its browser and network, make no mail', async () => {
  const { signIn, sessions, user } = await account()
  expect(await signIn(HOME)).toEqual([])
  await sessions.endAll(user.id)
  expect(await signIn({ address: '192.0.2.200', agent: NEWER })).toEqual([])
  expect(await signIn({ address: '::ffff:192.0.2.3', agent: FIREFOX })).toEqual([])
})

test('another browser, and another network, makes one mail', async () => {
  const { signIn, sessions, user, clock } = await account()
  await signIn(HOME)
  const mail = { kind: 'login.newDevice', at: clock.now, address: '192.0.2.7', device: 'Chrome · Windows' }
  expect(await signIn({ ...HOME, agent: CHROME })).toEqual([mail])
  expect(await signIn({ ...HOME, address: '192.0.3.7' })).toMatchObject([{ address: '192.0.3.7' }])
  expect(await signIn({ ...HOME, address: '2001:db8:1:2::3' })).toMatchObject([{ address: '2001:db8:1:2::3' }])
  await sessions.endAll(user.id)
  expect(await signIn({ ...HOME, address: '2001:db8:1:ffff::1' })).toEqual([])
  expect(await signIn({ ...HOME, address: '2001:db8:2:2::3' })).toHaveLength(1)
  expect(await signIn({ ...HOME, agent: CHROME })).toEqual([])
})

test('a place is new again after 90 days, also when it was the only one', async () => {
  const { signIn, sessions, user, clock } = await account()
  await signIn(HOME)
  await sessions.endAll(user.id)
  clock.now += LIMITS.signInPlaceTime
  expect(await signIn(HOME)).toHaveLength(1)
  clock.now += LIMITS.signInPlaceTime - 1
  await sessions.endAll(user.id)
  expect(await signIn(HOME)).toEqual([])
})

test('sessions from before sign-ins were remembered count, at the address of their last use', async () => {
  const { signIn, bare, user } = await account()
  const token = await bare.start(user, HOME)
  await bare.resolve(token, { ...HOME, address: '198.51.100.1' })
  expect(await signIn({ ...HOME, address: '198.51.100.2' })).toEqual([])
  expect(await signIn({ ...HOME, address: '203.0.113.1' })).toHaveLength(1)
})

test('MAIL-06 a flood of sign-ins is five mails an hour', async () => {
  const { signIn, clock } = await account()
  await signIn(HOME)
  let count = 0
  for (let network = 1; network <= 20; network += 1) {
    count += (await signIn({ ...HOME, address: `10.0.${network}.1` })).length
  }
  expect(count).toBe(LIMITS.signInMails)
  clock.now += 3_600_000
  expect(await signIn({ ...HOME, address: '10.1.0.1' })).toHaveLength(1)
})

test('servers without authentication or mail, and accounts without an address, have no mail; removed accounts leave no row', async () => {
  const { db, user, sessions, signIn, written, mails } = await account()
  await signIn(HOME)
  await sessions.start(user, { ...HOME, agent: CHROME }, { way: 'noauth' })
  expect(written).toEqual([])
  await changeAddress(db, user.id, { address: '' })
  expect(await signIn({ ...HOME, agent: CHROME })).toEqual([])
  await changeAddress(db, user.id, { address: 'ann@example.org' })
  expect(await signIn({ ...HOME, agent: CHROME })).toEqual([])
  mails.isOn = false
  expect(await signIn({ ...HOME, address: '203.0.113.1' })).toEqual([])
  await deleteUser(db, user.id)
  expect(await db.selectFrom('sign_in_places').selectAll().execute()).toEqual([])
})

test('the mail has the time in UTC, the client and its address', () => {
  const data = { at: Date.UTC(2026, 10, 29, 7, 5), device: 'Firefox · Linux', address: '192.0.2.7' }
  expect(signInContent(data, 'ann', 'en').list).toEqual([
    'November 29, 2026 at 7:05 AM UTC',
    'Firefox · Linux',
    '192.0.2.7',
  ])
  expect(signInContent({ ...data, device: '' }, 'ann', 'de').list).toEqual([
    '29. November 2026 um 07:05 UTC',
    '192.0.2.7',
  ])
})

test('webhooks receive a sign-in from elsewhere once, also without a mail server, and not the first one', async () => {
  const { db, user, mails, clock } = await account()
  const webhooks = new Webhooks({ db, cluster: openLocalCluster(), mode: 'admins', names: 'everyone' })
  const wanted = {
    name: 'w',
    url: 'https://example.org/',
    types: ['login.newDevice' as const],
    folder: '',
    pattern: '',
  }
  await webhooks.add({ ...wanted, enabled: true }, { id: 0, perm: ALL_PERMISSIONS })
  const parts = { db, cluster: openLocalCluster(), mails: { ...mails, isOn: false }, now: () => clock.now }
  const note = (device: typeof HOME) => noteSignIn({ ...parts, deliver: webhooks.deliverDevice }, user.id, device)
  for (const device of [HOME, HOME, { ...HOME, agent: CHROME }, { ...HOME, agent: CHROME }]) await note(device)
  const rows = await db.selectFrom('webhook_deliveries').select('body').execute()
  const data = { user: 'ann', via: 'session', address: '192.0.2.7', agent: 'Chrome · Windows' }
  const timestamp = new Date(clock.now).toISOString()
  expect(rows.map(({ body }) => JSON.parse(body))).toEqual([{ type: 'login.newDevice', timestamp, data }])
})
