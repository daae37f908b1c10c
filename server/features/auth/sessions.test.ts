import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { Secrets } from '../secrets/secrets.ts'
import { Tokens } from '../tokens/tokens.ts'
import { addUser, BLANK_USER, type StoredUser, setDisabled } from '../users/users.store.ts'
import { ROTATION_GRACE, Sessions } from './sessions.ts'

const KEY = new Uint8Array(64).fill(7)
const HOUR = 3_600_000
const DAY = 24 * HOUR

let folder: string
let db: Db
let user: StoredUser
let sessions: Sessions
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  folder = await mkdtemp(join(tmpdir(), 'filigree-sessions-'))
  db = (await openDb(join(folder, 'f.db'))).db
  user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: 'x' })
  const cluster = openLocalCluster()
  const parts = { db, cluster, tokens: new Tokens({ db, cluster }), secrets: new Secrets(db) }
  sessions = new Sessions({ ...parts, key: KEY, lifetime: 2 * HOUR })
})
afterEach(async () => {
  vi.useRealTimers()
  await db.destroy()
  await rm(folder, { recursive: true })
})

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

describe('a session', () => {
  test('is found by its token, which carries the user', async () => {
    const token = await sessions.start(user)
    const parts = token.split('.')
    expect(parts).toHaveLength(3)
    expect(JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()).user).toMatchObject({ username: 'ann' })
    expect((await sessions.resolve(token)).user.id).toBe(user.id)
  })

  test('does not start for an account that is disabled', async () => {
    await setDisabled(db, user.id, true)
    await expect(sessions.start(user)).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('ends at once for all of its tokens', async () => {
    const token = await sessions.start(user)
    const { sessionId } = await sessions.resolve(token)
    const renewed = await sessions.renew(sessionId, user)
    await sessions.end(sessionId)
    await expect(sessions.resolve(token)).rejects.toThrow('unauthorized')
    await expect(sessions.resolve(renewed)).rejects.toThrow('unauthorized')
    await expect(sessions.renew(sessionId, user)).rejects.toThrow('unauthorized')
  })

  test('is not affected by the end of another session of the user', async () => {
    const [one, two] = [await sessions.start(user), await sessions.start(user)]
    await sessions.end((await sessions.resolve(one)).sessionId)
    expect((await sessions.resolve(two)).user.id).toBe(user.id)
  })

  test('ends with all others of its user except the named one', async () => {
    const bob = await addUser(db, { ...BLANK_USER, username: 'bob', passwordHash: 'x' })
    const [one, two, kept] = [await sessions.start(user), await sessions.start(user), await sessions.start(user)]
    const foreign = await sessions.start(bob)
    await sessions.endAll(user.id, (await sessions.resolve(kept)).sessionId)
    for (const token of [one, two]) await expect(sessions.resolve(token)).rejects.toThrow('unauthorized')
    expect((await sessions.resolve(kept)).user.id).toBe(user.id)
    await sessions.endAll(user.id)
    await expect(sessions.resolve(kept)).rejects.toThrow('unauthorized')
    expect((await sessions.resolve(foreign)).user.id).toBe(bob.id)
  })

  test('expires with its token, even if used until then', async () => {
    const token = await sessions.start(user)
    const used = await sessions.start(user)
    later(2 * HOUR - 1000)
    await sessions.resolve(used)
    later(2000)
    await expect(sessions.resolve(token)).rejects.toThrow('unauthorized')
    await expect(sessions.resolve(used)).rejects.toThrow('unauthorized')
  })

  test('requests renewal in the last hour of its token', async () => {
    const token = await sessions.start(user)
    expect((await sessions.resolve(token)).renew).toBe(false)
    later(HOUR + 1000)
    expect((await sessions.resolve(token)).renew).toBe(true)
  })

  test('requests renewal when the user changed after the token was made', async () => {
    for (const after of [5, 5000]) {
      const token = await sessions.start(user)
      later(after)
      await db.updateTable('users').set({ modified_at: Date.now() }).execute()
      expect((await sessions.resolve(token)).renew).toBe(true)
      later(1)
      expect((await sessions.resolve(await sessions.start(user))).renew).toBe(false)
    }
  })

  test('AUTH-12 cannot be renewed past thirty days', async () => {
    let token = await sessions.start(user)
    const { sessionId } = await sessions.resolve(token)
    for (let day = 0; day < 29; day += 1) {
      later(DAY)
      token = await sessions.renew(sessionId, user)
    }
    later(HOUR)
    expect((await sessions.resolve(token)).sessionId).toBe(sessionId)
    later(DAY)
    const last = await sessions.renew(sessionId, user)
    await expect(sessions.resolve(last)).rejects.toThrow('unauthorized')
  })

  test('AUTH-12 is renewed by concurrent tabs without signing any of them out', async () => {
    const first = await sessions.start(user)
    const { sessionId } = await sessions.resolve(first)
    const renewed = await Promise.all(Array.from({ length: 5 }, () => sessions.renew(sessionId, user)))
    for (const token of [first, ...renewed]) expect((await sessions.resolve(token)).sessionId).toBe(sessionId)
    later(ROTATION_GRACE + 1000)
    for (const token of renewed) expect((await sessions.resolve(token)).sessionId).toBe(sessionId)
  })

  test('AUTH-12 ends when a rotated token is used again', async () => {
    const copied = await sessions.start(user)
    const { sessionId } = await sessions.resolve(copied)
    const renewed = await sessions.renew(sessionId, user)
    await sessions.resolve(renewed)
    later(ROTATION_GRACE - 1000)
    expect((await sessions.resolve(copied)).sessionId).toBe(sessionId)
    later(2000)
    await expect(sessions.resolve(copied)).rejects.toThrow('unauthorized')
    await expect(sessions.resolve(renewed)).rejects.toThrow('unauthorized')
  })

  test('AUTH-12 keeps the old token valid when the new one was never used', async () => {
    const old = await sessions.start(user)
    const { sessionId } = await sessions.resolve(old)
    await sessions.renew(sessionId, user)
    later(HOUR)
    expect((await sessions.resolve(old)).sessionId).toBe(sessionId)
    const renewed = await sessions.renew(sessionId, user)
    expect((await sessions.resolve(renewed)).sessionId).toBe(sessionId)
    later(ROTATION_GRACE)
    await expect(sessions.resolve(old)).rejects.toThrow('unauthorized')
  })

  test('with a token that has no id continues, and gets an id when it is renewed', async () => {
    const { sessionId } = await sessions.resolve(await sessions.start(user))
    await db.updateTable('sessions').set({ token_id: '' }).execute()
    const old = await new SignJWT({ user: { id: user.id }, sid: sessionId })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('File Browser')
      .setIssuedAt(Math.floor(Date.now() / 1000))
      .setExpirationTime(Math.floor((Date.now() + HOUR) / 1000))
      .sign(KEY)
    expect((await sessions.resolve(old)).sessionId).toBe(sessionId)
    const renewed = await sessions.renew(sessionId, user)
    expect((await sessions.resolve(renewed)).sessionId).toBe(sessionId)
    later(ROTATION_GRACE)
    await expect(sessions.resolve(old)).rejects.toThrow('unauthorized')
  })

  test('shows when and from where it was last used', async () => {
    const token = await sessions.start(user, { address: '192.0.2.1', agent: 'one' })
    later(HOUR)
    await sessions.resolve(token, { address: '192.0.2.2', agent: 'two' })
    expect(await sessions.list(user.id)).toMatchObject([{ address: '192.0.2.2', agent: 'two', seen_at: Date.now() }])
  })

  test('of a deleted user is invalid', async () => {
    const token = await sessions.start(user)
    await db.deleteFrom('users').execute()
    await expect(sessions.resolve(token)).rejects.toThrow('unauthorized')
  })
})

describe('a token', () => {
  const forged = (alg: string, key: Uint8Array, sid: string) =>
    new SignJWT({ user: { id: 1 }, sid }).setProtectedHeader({ alg }).setIssuedAt().setExpirationTime('1h').sign(key)

  test('AUTH-05 signed with another key is refused', async () => {
    const { sessionId } = await sessions.resolve(await sessions.start(user))
    await expect(
      sessions.resolve(
        await forged(
          'HS256',
          KEY.map(() => 1),
          sessionId,
        ),
      ),
    ).rejects.toThrow('unauthorized')
  })

  test('signed with another algorithm is refused', async () => {
    const { sessionId } = await sessions.resolve(await sessions.start(user))
    await expect(sessions.resolve(await forged('HS512', KEY, sessionId))).rejects.toThrow('unauthorized')
  })

  test('AUTH-05 without a signature is refused', async () => {
    const token = await sessions.start(user)
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    await expect(sessions.resolve(`${none}.${token.split('.')[1]}.`)).rejects.toThrow('unauthorized')
  })

  test.each(['', 'a.b.c', '..', 'nonsense'])('spelled %j is refused', async token => {
    await expect(sessions.resolve(token)).rejects.toThrow('unauthorized')
  })
})
