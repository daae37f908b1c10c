import type { Hit } from './hit.ts'
import type { HitBatch } from './messages.ts'

/** Size of the first batch: small, since the user waits for it; later ones grow. */
const FIRST_BATCH = 64
const BATCH = 1000
const GROWTH = 4
/** Milliseconds between checks for other requests or a cancellation. */
const SLICE = 3
/** Milliseconds after which a batch is sent, however small. */
const SEND_AFTER = 25
/** Milliseconds for which a search without hits comes before others. */
const FIRST = 100

/** A search in progress: its hits are sent in batches. */
export class Search {
  readonly #found: Iterator<Hit | undefined>
  #most = FIRST_BATCH
  #hits: Hit[] = []
  /** When these hits were requested. */
  #since = Date.now()
  #isNew = true

  /** @param found yields `undefined` where other work can run */
  constructor(found: Iterator<Hit | undefined>) {
    this.#found = found
  }

  /** Whether it has sent nothing yet, and takes precedence for that. */
  get isFirst(): boolean {
    return this.#isNew && Date.now() - this.#since < FIRST
  }

  /** Requests the next batch. */
  resume(): void {
    this.#since = Date.now()
  }

  /** Searches for a slice of time. @returns a batch to send; `undefined` if it should wait for more */
  next(): HitBatch | undefined {
    const until = Date.now() + SLICE
    while (this.#hits.length < this.#most) {
      const { done, value } = this.#found.next()
      if (done) return this.#batch(true)
      if (value) this.#hits.push(value)
      else if (Date.now() > until) break
    }
    const isLate = this.#hits.length > 0 && Date.now() - this.#since >= SEND_AFTER
    return this.#hits.length >= this.#most || isLate ? this.#batch(false) : undefined
  }

  #batch(last: boolean): HitBatch {
    const batch = toColumns(this.#hits, last)
    this.#hits = []
    this.#isNew = false
    this.#most = Math.min(BATCH, this.#most * GROWTH)
    return batch
  }
}

const toColumns = (hits: readonly Hit[], last: boolean): HitBatch => ({
  paths: hits.map(hit => hit.path).join('\0'),
  facts: Float64Array.from(hits, hit => hit.fact),
  disks: Float64Array.from(hits, hit => hit.disk),
  last,
})
