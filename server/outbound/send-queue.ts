import type { Expression, SqlBool } from 'kysely'
import type { Db } from '../db/schema.ts'
import { claimDue, deleteEnded, nextDue, type QueueTable, releaseClaimed, type StoredRow } from './send-queue.store.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds before each try after the first (Standard Webhooks 1.0). */
const RETRIES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
]
/** By how much each of these varies, so that a receiver that is back does not get all at once. */
const SPREAD = 0.2
/** Milliseconds after which the row of a process that died is sent again. */
const LEASE = 30 * SECOND
/** The longest interval between two polls of the database. */
const POLL_EVERY = 30 * SECOND
const DELETE_EVERY = HOUR
/** Milliseconds for which rows are kept that were sent, and that were given up. */
const KEPT = { sent: 7 * DAY, dead: 30 * DAY }

/** When a row is due again after a number of failed tries; `undefined` when it is given up. */
export function nextTry(tries: number, now: number): number | undefined {
  const delay = RETRIES[tries - 1]
  return delay === undefined ? undefined : now + delay * (1 - SPREAD + 2 * SPREAD * Math.random())
}

export interface SendQueueDeps<Table extends QueueTable> {
  db: Db
  /** Its rows wait to be sent (`state`, `next_at`). */
  table: Table
  /** What is sent, for the log. */
  name: string
  /** No other process uses the database: what was being sent at the start has lost its process. */
  isOnlyServer: boolean
  /** Takes due rows with `SendQueue.take`, as many as may be sent now. @param running rows under way */
  claim(running: readonly StoredRow<Table>[]): Promise<readonly StoredRow<Table>[]>
  /** Sends one row, and notes the result. */
  send(row: StoredRow<Table>): Promise<void>
  /** Rows that are sent at all; all without it. */
  only?: Expression<SqlBool>
  log: { error(facts: object, text: string): void }
  now(): number
}

/** Sends rows of a table when they are due. Any number of servers may do so. */
export class SendQueue<Table extends QueueTable> {
  readonly #deps: SendQueueDeps<Table>
  readonly #running = new Map<string, { row: StoredRow<Table>; end: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #deleting: NodeJS.Timeout | undefined
  #polling = false
  #again = false
  #closed = true

  constructor(deps: SendQueueDeps<Table>) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    const { db, table, isOnlyServer, now } = this.#deps
    this.#closed = false
    if (isOnlyServer) await releaseClaimed(db, table, { now: now(), lease: LEASE })
    this.#deleting = setInterval(() => void this.#deleteEnded(), DELETE_EVERY).unref()
    this.poll()
  }

  /** Ends when the rows under way have ended; the rest is sent after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#deleting)
    await Promise.all([...this.#running.values()].map(({ end }) => end))
  }

  /** Searches for due rows, now. */
  poll(): void {
    this.#again = true
    if (this.#polling || this.#closed) return
    this.#polling = true
    const { log, name } = this.#deps
    void this.#pollOnce()
      .catch(error => log.error({ err: error }, `${name} could not be sent`))
      .finally(() => {
        this.#polling = false
        if (this.#again && !this.#closed) this.poll()
      })
  }

  /** Claims the oldest due rows: they are due again after `LEASE`, so that another process takes over from a dead one. */
  take(limit: number, only?: Expression<SqlBool>): Promise<StoredRow<Table>[]> {
    const { db, table, now } = this.#deps
    return claimDue(db, table, { now: now(), lease: LEASE, limit, only })
  }

  async #pollOnce(): Promise<void> {
    const { db, table, only, now } = this.#deps
    this.#again = false
    clearTimeout(this.#timer)
    const running = [...this.#running.values()].map(({ row }) => row)
    for (const row of await this.#deps.claim(running)) this.#begin(row)
    const next = await nextDue(db, table, only)
    const wait = next === undefined ? POLL_EVERY : Math.max(SECOND, Math.min(POLL_EVERY, next - now()))
    if (!this.#closed) this.#timer = setTimeout(() => this.poll(), wait).unref()
  }

  #begin(row: StoredRow<Table>): void {
    const { log, name } = this.#deps
    const end = this.#deps
      .send(row)
      .catch(error => log.error({ err: error }, `one of the ${name} could not be sent`))
      .finally(() => {
        this.#running.delete(row.id)
        this.poll()
      })
    this.#running.set(row.id, { row, end })
  }

  async #deleteEnded(): Promise<void> {
    const { db, table, log, name, now } = this.#deps
    for (const state of ['sent', 'dead'] as const) {
      await deleteEnded(db, table, { state, before: now() - KEPT[state] }).catch(error =>
        log.error({ err: error }, `old ${name} were not deleted`),
      )
    }
  }
}
