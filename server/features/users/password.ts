import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { PASSWORD_COSTS, type PasswordCost } from '../../../shared/password-cost.ts'
import { Semaphore } from '../../lib/limit.ts'
import { IDLE_TIME } from '../../lib/worker-client.ts'
import { WorkerPool } from '../../lib/worker-pool.ts'
import { LIMITS } from '../../limits.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { BcryptCalls } from './bcrypt-worker.ts'

const derive = promisify(argon2)

const TAG_LENGTH = 32
/** Marks hashes that no password matches: those of passwords have random salts. */
const NO_SALT = Buffer.alloc(16)

let cost: PasswordCost = PASSWORD_COSTS.usual

/** Sets the cost of new hashes in this process; hashes of another cost are replaced at the next sign-in. */
export function choosePasswordCost(chosen: PasswordCost): void {
  cost = chosen
}

/** Concurrent hashes: each takes memory and a thread of the pool that file operations share. */
const MAX_PARALLEL = LIMITS.passwordsAtOnce

/** The most queued hashes: a flood of sign-ins is refused, not queued. */
const MAX_WAITING = LIMITS.passwordsWaiting
/** Milliseconds after which a refused client may retry. */
const TURNED_AWAY = 5000

/** Argon2id hash of a password as a PHC string. @throws AppError `unavailable` when the queue is full */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return toPhc(salt, await hashing.run(() => argon2id(password, salt, cost)))
}

/** A random hash that no password matches, and that takes as long to check as a real one. */
export const unknownPassword = (): string => toPhc(NO_SALT, randomBytes(TAG_LENGTH))

/** Whether a hash is one of `unknownPassword`. */
export const isUnknownPassword = (hash: string): boolean => hash.includes(`$${base64(NO_SALT)}$`)

const prefix = () => `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`

const toPhc = (salt: Buffer, tag: Buffer) => `${prefix()}${base64(salt)}$${base64(tag)}`

/**
 * Whether a password matches a stored hash: Argon2id, or bcrypt of an imported account (`$2a$`, `$2b$`, `$2y$`),
 * of which 72 bytes of the password count.
 * @throws AppError `unavailable` when the queue is full
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  if (isBcrypt(hash)) return hashing.run(() => bcrypt.request('matches', { password, hash }))
  const parsed = parsePhc(hash)
  if (!parsed) return false
  const tag = await hashing.run(() => argon2id(password, parsed.salt, parsed.cost))
  return tag.length === parsed.tag.length && timingSafeEqual(tag, parsed.tag)
}

/** Whether a hash is of an older kind or cost and should be replaced at the next sign-in. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(prefix())
}

/**
 * The highest cost of bcrypt, as a power of two; a higher one would occupy a processor for seconds at every sign-in.
 */
const COSTLIEST_BCRYPT = 15

/** Whether a text is a bcrypt hash of an acceptable cost. */
export function isBcrypt(hash: string): boolean {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash) ?? []
  return cost !== undefined && Number(cost) <= COSTLIEST_BCRYPT
}

/** Whether a text is a password hash of a supported kind. */
export const isPasswordHash = (text: string): boolean => isBcrypt(text) || parsePhc(text) !== undefined

/** Takes the time of a real check, for a name that does not exist: answers must not reveal the difference. */
export async function verifyDummy(password: string): Promise<void> {
  await hashing.run(() => argon2id(password, DUMMY_SALT, cost))
}

const DUMMY_SALT = randomBytes(16)

function argon2id(password: string, nonce: Buffer, at: PasswordCost): Promise<Buffer> {
  return derive('argon2id', { message: password, nonce, tagLength: TAG_LENGTH, ...at })
}

function parsePhc(hash: string): { cost: PasswordCost; salt: Buffer; tag: Buffer } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash)
  if (!match) return undefined
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const hashing = new Semaphore(MAX_PARALLEL, { maxWaiting: MAX_WAITING, retryAfter: TURNED_AWAY })

/** bcrypt is CPU-bound, and used once for each imported account, whose hash is then replaced. */
const bcrypt = new WorkerPool<BcryptCalls>(new URL('./bcrypt-worker.ts', import.meta.url), {
  size: MAX_PARALLEL,
  idleTime: IDLE_TIME,
  ...LEAN_THREAD,
})
