import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { Sessions } from '../auth/sessions.ts'
import { Secrets } from '../secrets/secrets.ts'
import { addUser, BLANK_USER, type StoredUser } from '../users/users.store.ts'
import { completeScopes } from './narrow.ts'
import { isWellFormed, makeSecret } from './secret.ts'
import { Tokens } from './tokens.ts'
import { WrongTokens } from './wrong-tokens.ts'

const CLIENT = { address: '192.0.2.1', agent: 'test' }
const ANY = { label: 'x', scopes: ['read'], folders: [], networks: [], expiresAt: null } as const
const DAY = 86_400_000

let folder: string
let db: Db
let user: StoredUser
let tokens: Tokens
let sessions: Sessions
let queries = 0
const counting: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  // Also called for queries that were compiled before.
  async transformResult({ result }) {
    queries += 1
    return result
  },
}
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  folder = await mkdtemp(join(tmpdir(), 'filigree-tokens-'))
  db = (await openDb(join(folder, 'f.db'))).db
  user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: 'x', perm: ALL_PERMISSIONS })
  const cluster = openLocalCluster()
  const counted = db.withPlugin(counting)
  const none = { for: async () => Promise.reject(new AppError('not_found')) }
  tokens = new Tokens({ db: counted, cluster, files: () => none })
  const parts = { db: counted, cluster, tokens, secrets: new Secrets(counted) }
  sessions = new Sessions({ ...parts, key: new Uint8Array(64).fill(7), lifetime: 2 * 3_600_000 })
})
afterEach(async () => {
  vi.useRealTimers()
  await db.destroy()
  await rm(folder, { recursive: true })
})

/** The queries of `act`, once its result is there. */
async function costOf(act: () => Promise<unknown>): Promise<number> {
  queries = 0
  await act()
  return queries
}

test('a secret has a form that a checksum protects', () => {
  const secrets = Array.from({ length: 50 }, makeSecret)
  expect(new Set(secrets).size).toBe(50)
  for (const secret of secrets) {
    expect(secret).toMatch(/^flg_[0-9A-Za-z]{36}$/)
    expect(isWellFormed(secret)).toBe(true)
    expect(isWellFormed(secret.replace(/.$/, last => (last === 'a' ? 'b' : 'a')))).toBe(false)
  }
})

test('writing and sharing include reading, administrating does not', () => {
  expect(completeScopes(['share'])).toEqual(['read', 'share'])
  expect(completeScopes(['write', 'read'])).toEqual(['read', 'write'])
  expect(completeScopes(['admin'])).toEqual(['admin'])
})

describe('a token', () => {
  test('is refused from its last moment on, as is a session that it started', async () => {
    const { secret, token } = await tokens.create(user.id, { ...ANY, expiresAt: Date.now() + DAY })
    const session = await sessions.start(user, CLIENT, { way: 'apitoken', token })
    const { sessionId } = await sessions.resolve(session)
    const renewed = await sessions.renew(sessionId, user, token)
    vi.setSystemTime(Date.now() + DAY - 1000)
    expect((await tokens.resolve(secret, CLIENT)).token.id).toBe(token.id)
    vi.setSystemTime(Date.now() + 1000)
    await expect(tokens.resolve(secret, CLIENT)).rejects.toThrow('unauthorized')
    for (const ended of [session, renewed]) await expect(sessions.resolve(ended)).rejects.toThrow('unauthorized')
  })

  test('costs one query for a request, where a session costs two', async () => {
    const { secret } = await tokens.create(user.id, ANY)
    const session = await sessions.start(user, CLIENT)
    await sessions.authenticate({ secret }, CLIENT)
    await sessions.authenticate({ secret: session }, CLIENT)
    vi.setSystemTime(Date.now() + 1000)
    expect(await costOf(() => sessions.authenticate({ secret }, CLIENT))).toBe(1)
    expect(await costOf(() => sessions.authenticate({ secret: session }, CLIENT))).toBe(2)
  })

  test('of folders costs one query more, whatever their number', async () => {
    const folders = ['/a', '/b', '/c'].map(path => ({
      path: parsePath(path),
      canonical: parsePath(path),
      identity: 'x',
    }))
    const { secret } = await tokens.create(user.id, { ...ANY, folders })
    await sessions.authenticate({ secret }, CLIENT)
    vi.setSystemTime(Date.now() + 1000)
    expect(await costOf(() => sessions.authenticate({ secret }, CLIENT))).toBe(2)
  })

  test('with a typing mistake costs no query', async () => {
    const { secret } = await tokens.create(user.id, ANY)
    const mistyped = `${secret.slice(0, 10)}${secret[10] === 'A' ? 'B' : 'A'}${secret.slice(11)}`
    expect(await costOf(() => tokens.resolve(mistyped, CLIENT).catch(() => {}))).toBe(0)
  })

  test('notes its use once a minute', async () => {
    const { secret } = await tokens.create(user.id, ANY)
    const began = Date.now()
    const used = async () => (await tokens.list(user.id))[0]?.usedAt
    await tokens.resolve(secret, CLIENT)
    await expect.poll(used).toBe(began)
    vi.setSystemTime(began + 59_000)
    expect(await costOf(() => tokens.resolve(secret, CLIENT))).toBe(1)
    vi.setSystemTime(began + 60_000)
    await tokens.resolve(secret, CLIENT)
    await expect.poll(used).toBe(began + 60_000)
  })
})

test('PAT-10 wrong tokens of a network are limited, and other networks do not notice', () => {
  const wrong = new WrongTokens()
  const codeFor = (address: string) => {
    try {
      return wrong.refuse(address)
    } catch (thrown) {
      return (thrown as Error).message
    }
  }
  const codes = Array.from({ length: LIMITS.wrongTokens + 1 }, () => codeFor('192.0.2.7'))
  expect(new Set(codes.slice(0, -1))).toEqual(new Set(['unauthorized']))
  expect(codes.at(-1)).toBe('too_many_attempts')
  expect(codeFor('192.0.2.8')).toBe('unauthorized')
  vi.setSystemTime(Date.now() + 60_000)
  expect(codeFor('192.0.2.7')).toBe('unauthorized')
})

test('PAT-10 wrong tokens of ever more networks take no more memory: the oldest count is dropped', () => {
  const wrong = new WrongTokens()
  const from = (network: number) => () => wrong.refuse(`10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`)
  for (let count = 0; count < LIMITS.wrongTokens; count += 1) expect(from(0)).toThrow('unauthorized')
  expect(from(0)).toThrow('too_many_attempts')
  for (let network = 1; network < 10_000; network += 1) expect(from(network)).toThrow('unauthorized')
  expect(from(0)).toThrow('too_many_attempts')
  for (let network = 10_000; network < 20_000; network += 1) expect(from(network)).toThrow('unauthorized')
  expect(from(0)).toThrow('unauthorized')
})
