import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db, GuessesTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { remark } from '../../routing/route.ts'
import {
  countGuess,
  dropGuess,
  readGuesses,
  storeGuess,
  sweepGuesses,
  uncountGuess,
} from './password-throttle.store.ts'

const DAY = 24 * 3_600_000

/** A kind of secret that is checked; each has counters of its own. */
export type SecretKind = 'login' | 'dav' | 'share' | 'confirm' | 'otp'

export interface Guess {
  kind: SecretKind
  /** What the secret is for: a user name or a link, as given, whether or not it exists. */
  subject: string
  /** The address of the client. */
  address: string
  /** Failures of the subject that are free, where they are fewer than usual. */
  free?: number | undefined
}

/** The path and the status that the log shows for a wrong secret. */
const LOGGED: Readonly<Record<SecretKind, { path: string; status: number }>> = {
  login: { path: '/api/login', status: 403 },
  dav: { path: '/dav', status: 401 },
  share: { path: '/api/public', status: 401 },
  confirm: { path: '/api/users', status: 400 },
  otp: { path: '/api/login/factor', status: 403 },
}

/** The number of free failures; each further one doubles the wait. */
interface ThrottlePolicy {
  free: number
  /** Milliseconds after the first failure that is not free. */
  wait: number
}

/** For one subject from one network: no user mistypes ten times. */
export const PER_VISITOR: ThrottlePolicy = { free: LIMITS.guessesOfVisitor, wait: LIMITS.firstWait }
/** For one subject from all networks; networks from which the user signed in before are exempt. */
export const PER_SUBJECT: ThrottlePolicy = { free: LIMITS.guessesOfSubject, wait: LIMITS.firstWait }
/** For all subjects from one network, which many users may share. */
export const PER_NETWORK: ThrottlePolicy = { free: LIMITS.guessesOfNetwork, wait: LIMITS.firstWait }

/** The longest wait, in milliseconds. */
export const LONGEST_WAIT = LIMITS.longestWait
/** Failures expire when none was added for this long, in milliseconds. */
export const FORGET_AFTER = LIMITS.guessesKept
/** A network from which a user signed in counts as known for this long, in milliseconds. */
const KNOWN_FOR = 30 * DAY
/** Rows are swept once in so many failures. */
const SWEEP_EVERY = 100
/** Wrong secrets are answered at multiples of this, in milliseconds, so that the time reveals nothing. */
const ANSWER_EVERY = 250

/**
 * Throttles password guessing: the wait after a failure grows per subject and network, per subject and per network.
 * Failures are counted in the database, so that they survive restarts and servers count together.
 */
export class PasswordThrottle {
  readonly #db: Db
  readonly #cluster: Cluster
  #counted = 0

  constructor({ db, cluster }: { db: Db; cluster: Cluster }) {
    this.#db = db
    this.#cluster = cluster
  }

  /**
   * Checks the secret of a request. Each failure logs a line that programs such as fail2ban read (docs/fail2ban.md); its
   * form is stable, and only the address in it comes from the client.
   * @returns what the secret opens; `undefined` when it is wrong
   * @throws AppError `too_many_attempts`
   */
  async verify<T>(
    request: FastifyRequest,
    { kind, subject, free }: Omit<Guess, 'address'>,
    judge: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { path, status } = LOGGED[kind]
    const logFailure = (code: number) => request.log.warn({ client: request.ip }, `${path}: ${code} ${request.ip}`)
    try {
      const opened = await this.judge({ kind, subject, free, address: request.ip }, judge)
      if (opened === undefined) {
        logFailure(status)
        remark(request, { outcome: 'wrong_credentials' })
      }
      return opened
    } catch (error) {
      if (error instanceof AppError && error.code === 'too_many_attempts') logFailure(429)
      throw error
    }
  }

  /**
   * Checks one guess, unless it must wait. It counts as a failure from its beginning, so that concurrency does not
   * help; a right guess is taken back, as is one whose check failed.
   * @param judge the check: what the secret opens, `undefined` when it is wrong
   * @throws AppError `too_many_attempts` with the wait, for right and wrong guesses alike
   */
  async judge<T>(guess: Guess, judge: () => Promise<T | undefined>): Promise<T | undefined> {
    const began = performance.now()
    const keys = keysOf(guess)
    await this.#cluster.lock('guesses', () => this.#begin(keys, guess.free))
    let opened: T | undefined
    try {
      opened = await judge()
    } catch (error) {
      await uncountGuess(this.#db, counted(keys))
      throw error
    }
    if (opened === undefined) await nextAnswer(began)
    else await this.#forgive(keys)
    return opened
  }

  async #begin(keys: Keys, most = Number.POSITIVE_INFINITY): Promise<void> {
    const now = Date.now()
    const rows = await readGuesses(this.#db, Object.values(keys), now)
    const row = (key: string) => rows.find(known => known.key === key)
    const isKnown = row(keys.known) !== undefined
    const wait = Math.max(
      waitOf(row(keys.visitor), within(PER_VISITOR, most), now),
      isKnown ? 0 : waitOf(row(keys.subject), within(PER_SUBJECT, most), now),
      isKnown ? 0 : waitOf(row(keys.network), PER_NETWORK, now),
    )
    if (wait > 0) throw new AppError('too_many_attempts', 'too_many_attempts', { wait })
    await countGuess(this.#db, counted(keys), now, now + FORGET_AFTER)
    this.#counted += 1
    if (this.#counted % SWEEP_EVERY === 0) await sweepGuesses(this.#db, now)
  }

  async #forgive(keys: Keys): Promise<void> {
    const now = Date.now()
    await dropGuess(this.#db, keys.visitor)
    await uncountGuess(this.#db, [keys.subject, keys.network])
    await storeGuess(this.#db, keys.known, now, now + KNOWN_FOR)
  }
}

type Keys = Record<'visitor' | 'subject' | 'network' | 'known', string>

/** Digests: the text in the name field may be a password. */
function keysOf({ kind, subject, address }: Guess): Keys {
  const network = networkOf(address)
  return {
    visitor: digest('visitor', kind, subject, network),
    subject: digest('subject', kind, subject),
    network: digest('network', kind, network),
    known: digest('known', kind, subject, network),
  }
}

const counted = ({ visitor, subject, network }: Keys) => [visitor, subject, network]

/** A key that does not reveal its parts. */
export const digest = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

/** Unknown names, old hashes and new ones take different times; this makes them equal. */
function nextAnswer(began: number): Promise<void> {
  const taken = performance.now() - began
  return setTimeout(Math.ceil(taken / ANSWER_EVERY) * ANSWER_EVERY - taken)
}

const within = (policy: ThrottlePolicy, most: number) => ({ ...policy, free: Math.min(policy.free, most) })

/** Milliseconds until the next guess is allowed. */
function waitOf(row: GuessesTable | undefined, { free, wait }: ThrottlePolicy, now: number): number {
  if (!row || row.failures < free) return 0
  const whole = Math.min(wait * 2 ** (row.failures - free), LONGEST_WAIT)
  return Math.max(row.last_at + whole - now, 0)
}

/** An IPv4 address, or the IPv6 network of 64 bits that one household has. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address) || address.includes('.')) return address
  const [front = '', back = ''] = address.split('::')
  const head = front.split(':').filter(Boolean)
  const tail = back.split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(8 - head.length - tail.length, 0)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}
