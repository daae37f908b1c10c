import type { Hit, HitBatch } from './found-names.ts'

/** Size of the first batch: small, since the user waits for it; later ones grow. */
const FIRST_BATCH = 64
const BATCH = 1000
const GROWTH = 4
/** Milliseconds between checks for other requests or a cancellation. */
const SLICE = 3
/** Milliseconds after which a batch is sent, however small. */
const SEND_AFTER = 25

/** Collects the hits of a search into batches. */
export class HitBatches {
  #most = FIRST_BATCH
  #hits: Hit[] = []
  /** When these hits were requested. */
  #since = Date.now()

  /** The next batch is requested. */
  resume(): void {
    this.#since = Date.now()
  }

  /** Searches for a slice of time. @param found yields some hits, or none where other work can run */
  async next(found: Iterator<Hit[]> | AsyncIterator<Hit[]>): Promise<HitBatch | undefined> {
    const until = Date.now() + SLICE
    while (this.#hits.length < this.#most) {
      const { done, value } = await found.next()
      if (done) return this.#batch(true)
      for (const hit of value) this.#hits.push(hit)
      if (Date.now() > until) break
    }
    const isLate = this.#hits.length > 0 && Date.now() - this.#since >= SEND_AFTER
    return this.#hits.length >= this.#most || isLate ? this.#batch(false) : undefined
  }

  #batch(last: boolean): HitBatch {
    const batch = toBatch(this.#hits, last)
    this.#hits = []
    this.#most = Math.min(BATCH, this.#most * GROWTH)
    return batch
  }
}

const toBatch = (hits: readonly Hit[], last: boolean): HitBatch => ({
  paths: hits.map(hit => hit.path).join('\0'),
  facts: Float64Array.from(hits, hit => hit.fact),
  disks: Float64Array.from(hits, hit => hit.disk),
  last,
})
