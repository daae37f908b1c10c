import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db, GuessesTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { countGuess, dropGuess, keepGuess, readGuesses, sweepGuesses, uncountGuess } from './login-throttle.store.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Something that opens with a secret; each counts for itself. */
export type Door = 'login' | 'share' | 'confirm'

export interface Guess {
  door: Door
  /** What the secret is for: a user name, a link, as it was given, whether or not there is such a thing. */
  subject: string
  /** Where the guess comes from. */
  address: string
}

/** How many failures cost nothing; each beyond doubles the wait. */
interface Brake {
  free: number
  /** Milliseconds after the first failure beyond. */
  wait: number
}

/** For one thing from one network: nobody mistypes ten times. */
export const PER_VISITOR: Brake = { free: LIMITS.guessesOfVisitor, wait: 30 * SECOND }
/** For one thing from everywhere; those who got in from where they are before are not held up. */
export const PER_SUBJECT: Brake = { free: LIMITS.guessesOfSubject, wait: 30 * SECOND }
/** For everything from one network, in which many people may be. */
export const PER_NETWORK: Brake = { free: LIMITS.guessesOfNetwork, wait: 30 * SECOND }

/** Nobody waits longer than this, in milliseconds. */
export const LONGEST_WAIT = LIMITS.longestWait
/** Failures are forgotten when none was added for this long, in milliseconds. */
export const FORGET_AFTER = HOUR
/** A network from which somebody got in counts as theirs for this long, in milliseconds. */
const KNOWN_FOR = 30 * DAY
/** Rows are swept once in so many failures. */
const SWEEP_EVERY = 100
/** Answers to wrong secrets come at multiples of this, in milliseconds, so that their time tells nothing. */
const ANSWER_EVERY = 250

/**
 * Slows down whoever guesses passwords: the wait after a failure grows per thing and network, per thing and per
 * network. Counted in the database, so that a restart forgets nothing and several servers count together.
 */
export class Guesses {
  readonly #db: Db
  readonly #cluster: Cluster
  #counted = 0

  constructor({ db, cluster }: { db: Db; cluster: Cluster }) {
    this.#db = db
    this.#cluster = cluster
  }

  /**
   * Judges one guess, if it may be made now. It counts from its beginning, so that many at once are no way round; a
   * right one takes itself back, as does one that could not be judged.
   * @param judge what the secret opens; `undefined` when it is wrong
   * @throws AppError `too_many_attempts` with the wait, for a right guess as for a wrong one
   */
  async judge<T>(guess: Guess, judge: () => Promise<T | undefined>): Promise<T | undefined> {
    const began = performance.now()
    const keys = keysOf(guess)
    await this.#cluster.lock('guesses', () => this.#begin(keys))
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

  async #begin(keys: Keys): Promise<void> {
    const now = Date.now()
    const rows = await readGuesses(this.#db, Object.values(keys), now)
    const row = (key: string) => rows.find(known => known.key === key)
    const isKnown = row(keys.known) !== undefined
    const wait = Math.max(
      waitOf(row(keys.visitor), PER_VISITOR, now),
      isKnown ? 0 : waitOf(row(keys.subject), PER_SUBJECT, now),
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
    await keepGuess(this.#db, keys.known, now, now + KNOWN_FOR)
  }
}

type Keys = Record<'visitor' | 'subject' | 'network' | 'known', string>

/** Digests: what was typed into the field for the name may have been a password. */
function keysOf({ door, subject, address }: Guess): Keys {
  const network = networkOf(address)
  return {
    visitor: digest('visitor', door, subject, network),
    subject: digest('subject', door, subject),
    network: digest('network', door, network),
    known: digest('known', door, subject, network),
  }
}

const counted = ({ visitor, subject, network }: Keys) => [visitor, subject, network]

/** A key that tells nothing of what it was made of. */
export const digest = (...parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

/** An unknown name, an old kind of hash and a new one take times of their own; here they become the same. */
function nextAnswer(began: number): Promise<void> {
  const taken = performance.now() - began
  return setTimeout(Math.ceil(taken / ANSWER_EVERY) * ANSWER_EVERY - taken)
}

/** Milliseconds until the next guess may be made. */
function waitOf(row: GuessesTable | undefined, { free, wait }: Brake, now: number): number {
  if (!row || row.failures < free) return 0
  const whole = Math.min(wait * 2 ** (row.failures - free), LONGEST_WAIT)
  return Math.max(row.last_at + whole - now, 0)
}

/** An address, or the network of 64 bits that one household has of the newer kind. */
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
