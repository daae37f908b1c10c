import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { insertPasskey } from '../factors/passkeys.store.ts'
import { insertIdentity } from '../identities/identities.store.ts'
import { changeUser, closeUser, demandOwnWay, disableUser, removeUser } from './accounts.ts'
import { unknownPassword } from './password.ts'
import { addUser, BLANK_USER, listDisabled, type StoredUser, setDisabled } from './users.store.ts'

let folder: string
let db: Db
const cluster = openLocalCluster()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'last-admin-'))
  db = (await openDb(join(folder, 'filigree.db'), folder)).db
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const ADMIN = { ...NO_PERMISSIONS, admin: true }
const admin = (username: string, more: Partial<StoredUser> = {}) =>
  addUser(db, { ...BLANK_USER, username, perm: ADMIN, passwordHash: 'x', ...more })

/** An administrator whose password a provider or a directory checks. */
async function distant(username: string): Promise<StoredUser> {
  const user = await admin(username, { lockPassword: true })
  const at = { issuer: 'https://id.example.org', subject: username }
  await insertIdentity(db, { ...at, user_id: user.id, username, created_at: 0, seen_at: 0, missing_since: null })
  return user
}

const passkeyFor = ({ id, username }: StoredUser) =>
  insertPasskey(db, {
    ...{ id: username, user_id: id, credential: username, handle: username, rp_id: 'localhost', public_key: '' },
    ...{ counter: 0, transports: '[]', label: 'Key', created_at: 0, used_at: null, copied_at: null },
  })

const refused = { code: 'forbidden' }

describe('an account that an administrator disabled', () => {
  test('is not enabled by a directory, also where that had closed it before', async () => {
    await admin('boss')
    const [one, other] = [await admin('one'), await admin('other')]
    await closeUser({ db, cluster }, other.id)
    expect(await listDisabled(db)).toEqual([{ id: other.id, by: 'directory' }])
    for (const { id } of [one, other]) await disableUser({ db, cluster }, id, true)
    expect((await listDisabled(db)).map(({ by }) => by)).toEqual(['admin', 'admin'])
    for (const { id } of [one, other]) expect(await setDisabled(db, id, false)).toBe(false)
    expect(await closeUser({ db, cluster }, one.id)).toBe(false)
    for (const { id } of [one, other]) await disableUser({ db, cluster }, id, false)
    expect(await listDisabled(db)).toEqual([])
  })

  test('is never that of the last administrator', async () => {
    const boss = await admin('boss')
    await expect(disableUser({ db, cluster }, boss.id, true)).rejects.toMatchObject(refused)
    const next = await admin('next')
    await disableUser({ db, cluster }, boss.id, true)
    await expect(disableUser({ db, cluster }, next.id, true)).rejects.toMatchObject(refused)
  })
})

describe('the last administrator who needs no provider', () => {
  test('is neither removed nor demoted while others come from a provider', async () => {
    const boss = await admin('boss')
    const other = await distant('other')
    await expect(removeUser({ db, cluster }, boss.id)).rejects.toMatchObject(refused)
    await expect(changeUser({ db, cluster }, boss.id, { perm: NO_PERMISSIONS })).rejects.toMatchObject(refused)
    expect(await closeUser({ db, cluster }, boss.id)).toBe(false)
    await removeUser({ db, cluster }, other.id)
  })

  test('goes once another one has a password here, or a passkey', async () => {
    const boss = await admin('boss')
    const other = await distant('other')
    await passkeyFor(other)
    await changeUser({ db, cluster }, boss.id, { perm: NO_PERMISSIONS })
    await expect(removeUser({ db, cluster }, other.id)).rejects.toMatchObject(refused)
    const next = await admin('next')
    await removeUser({ db, cluster }, other.id)
    await expect(removeUser({ db, cluster }, next.id)).rejects.toMatchObject(refused)
  })

  test('is not one whose account is closed', async () => {
    const boss = await admin('boss')
    const closed = await admin('closed')
    await distant('other')
    await setDisabled(db, closed.id, true)
    await expect(removeUser({ db, cluster }, boss.id)).rejects.toMatchObject(refused)
  })

  test('keeps the last passkey, unless there is a password here', async () => {
    const boss = await distant('boss')
    await passkeyFor(boss)
    await distant('other')
    await demandOwnWay(db, boss.id, 1)
    await expect(demandOwnWay(db, boss.id, 0)).rejects.toMatchObject(refused)
    await admin('next')
    await demandOwnWay(db, boss.id, 0)
  })

  test('is not one who came from a provider and was promoted: no user knows that password', async () => {
    const boss = await admin('boss')
    await admin('promoted', { passwordHash: unknownPassword() })
    await expect(removeUser({ db, cluster }, boss.id)).rejects.toMatchObject(refused)
  })

  test('is any one where all come from providers', async () => {
    const one = await distant('one')
    await distant('other')
    await removeUser({ db, cluster }, one.id)
  })
})
