import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Semaphore } from '../lib/limit.ts'
import type { HitBatch } from '../storage/driver.ts'
import type { Hit } from '../storage/found-names.ts'
import { HitBatches } from '../storage/hit-batches.ts'

/** Milliseconds for which a search without hits comes before others. */
const FIRST = 100
/** Milliseconds after which a search without hits returns an empty batch: the caller may have lost interest. */
const REPORT = 100

const NOTHING: HitBatch = { paths: '', facts: new Float64Array(), disks: new Float64Array(), last: false }

interface Search {
  found: Iterator<Hit[]> | AsyncIterator<Hit[]>
  begunAt: number
  hasAnswered: boolean
}

/** The searches in progress, which take turns with other work. Those without a first result come first. */
export class Searches {
  readonly #turns: Semaphore
  readonly #running = new Set<Search>()
  /** Received queries that have not been started. */
  #arriving = 0

  /** @param turns held during a slice of work */
  constructor(turns: Semaphore) {
    this.#turns = turns
  }

  /** Waits until pending notifications of the system were read: they are, between two turns of the event loop. */
  async arrive(): Promise<void> {
    this.#arriving += 1
    for (let count = 0; count < 2; count++) await nextTurn()
    this.#arriving -= 1
  }

  async *batches(found: Search['found']): AsyncGenerator<HitBatch> {
    const search = { found, begunAt: Date.now(), hasAnswered: false }
    const batches = new HitBatches()
    this.#running.add(search)
    try {
      for (let isLast = false; !isLast; batches.resume()) {
        const batch = await this.#next(search, batches)
        search.hasAnswered = true
        isLast = batch.last
        yield batch
      }
    } finally {
      this.#running.delete(search)
    }
  }

  async #next(search: Search, batches: HitBatches): Promise<HitBatch> {
    const since = Date.now()
    for (;;) {
      if (!this.#mayRun(search)) {
        await pause(1)
        continue
      }
      const batch = await this.#turns.run(() => batches.next(search.found))
      if (batch) return batch
      if (Date.now() - since > REPORT) return NOTHING
      await nextTurn()
    }
  }

  #mayRun(search: Search): boolean {
    return isFirst(search) || (this.#arriving === 0 && ![...this.#running].some(isFirst))
  }
}

const isFirst = ({ hasAnswered, begunAt }: Search) => !hasAnswered && Date.now() - begunAt < FIRST
