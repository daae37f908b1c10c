const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds before each try after the first (Standard Webhooks 1.0). */
export const RETRIES = [
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
export const LEASE = 30 * SECOND
/** The longest interval between two looks at the database. */
const POLL_EVERY = 30 * SECOND
const FORGET_EVERY = HOUR

/** When a row is due again after a number of failed tries; `undefined` when it is given up. */
export function nextTry(tries: number, now: number): number | undefined {
  const delay = RETRIES[tries - 1]
  return delay === undefined ? undefined : now + delay * (1 - SPREAD + 2 * SPREAD * Math.random())
}

/** Rows of a table that wait to be sent. */
export interface Due<Row> {
  /** What is sent, for the log. */
  name: string
  /** Called first where no other process uses the database: what was being sent has lost its process. */
  release?(): Promise<void>
  /** Claims due rows: they are due again after `LEASE`. @param running rows under way */
  claim(running: readonly Row[]): Promise<readonly Row[]>
  /** When the next row is due, in milliseconds since the epoch; `undefined` while none waits. */
  nextDue(): Promise<number | undefined>
  /** Sends one row, and notes the result. */
  send(row: Row): Promise<void>
  /** Deletes rows that ended long ago. */
  forget(): Promise<void>
  log: { error(facts: object, text: string): void }
  now(): number
}

/** Sends rows of a table when they are due. Any number of servers may do so. */
export class DueRows<Row extends { id: string }> {
  readonly #due: Due<Row>
  readonly #running = new Map<string, { row: Row; end: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #forgetting: NodeJS.Timeout | undefined
  #polling = false
  #again = false
  #closed = true

  constructor(due: Due<Row>) {
    this.#due = due
  }

  async start(): Promise<void> {
    this.#closed = false
    await this.#due.release?.()
    this.#forgetting = setInterval(() => void this.#forget(), FORGET_EVERY).unref()
    this.poll()
  }

  /** Ends when the rows under way have ended; the rest is sent after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    clearInterval(this.#forgetting)
    await Promise.all([...this.#running.values()].map(({ end }) => end))
  }

  /** Looks for due rows, now. */
  poll(): void {
    this.#again = true
    if (this.#polling || this.#closed) return
    this.#polling = true
    const { log, name } = this.#due
    void this.#pollOnce()
      .catch(error => log.error({ err: error }, `${name} could not be sent`))
      .finally(() => {
        this.#polling = false
        if (this.#again && !this.#closed) this.poll()
      })
  }

  async #pollOnce(): Promise<void> {
    this.#again = false
    clearTimeout(this.#timer)
    const running = [...this.#running.values()].map(({ row }) => row)
    for (const row of await this.#due.claim(running)) this.#begin(row)
    const next = await this.#due.nextDue()
    const wait = next === undefined ? POLL_EVERY : Math.max(SECOND, Math.min(POLL_EVERY, next - this.#due.now()))
    if (!this.#closed) this.#timer = setTimeout(() => this.poll(), wait).unref()
  }

  #begin(row: Row): void {
    const { log, name } = this.#due
    const end = this.#due
      .send(row)
      .catch(error => log.error({ err: error }, `one of the ${name} could not be sent`))
      .finally(() => {
        this.#running.delete(row.id)
        this.poll()
      })
    this.#running.set(row.id, { row, end })
  }

  async #forget(): Promise<void> {
    const { forget, log, name } = this.#due
    await forget().catch(error => log.error({ err: error }, `old ${name} were not deleted`))
  }
}
