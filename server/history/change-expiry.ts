import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Db } from '../db/schema.ts'
import { forgetChanges } from './change-queries.store.ts'
import { forgetObjects } from './marks.store.ts'

export interface ChangeExpiryDeps {
  db: Db
  cluster: Pick<Cluster, 'lock'>
  log: { error(facts: object, text: string): void }
  /** Days that changes are recorded, 0 for no limit, and the number of their steps. */
  keep: { days: number; rows: number }
  now?: () => number
}

/** Milliseconds between two runs. */
const EVERY = 3_600_000
const DAY = 86_400_000
/** Changes deleted in one transaction. */
const AT_ONCE = 200

/**
 * Forgets recorded changes beyond their age or number, whole ones, the oldest first; and objects to which nothing belongs
 * any more.
 */
export class ChangeExpiry {
  readonly #deps: ChangeExpiryDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: ChangeExpiryDeps) {
    this.#deps = deps
  }

  /** Runs at once, and then at intervals. */
  start(): void {
    const run = () => {
      this.#running = this.#running
        .then(() => this.run())
        .catch(err => this.#deps.log.error({ err }, 'old changes were not forgotten'))
    }
    run()
    this.#timer = setInterval(run, EVERY).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#running
  }

  /** Forgets what has expired; on one server at a time. */
  async run(): Promise<void> {
    const { db, cluster, keep, now = Date.now } = this.#deps
    const before = keep.days === 0 ? Number.NEGATIVE_INFINITY : now() - keep.days * DAY
    await cluster.lock('changes.expire', async () => {
      for (let gone = 1; gone > 0 && !this.#closed; ) {
        gone = await forgetChanges(db, before, keep.rows, AT_ONCE)
        await othersFirst()
      }
      await forgetObjects(db, now() - DAY)
    })
  }
}
