import type { Found } from './hit.ts'
import type { FoundNames } from './messages.ts'

/** Things found that are sent together: few at first, since somebody waits for them, and more with every time. */
const FIRST_BATCH = 64
const BATCH = 1000
const GROWTH = 4
/** Milliseconds between two looks whether somebody asks something else, or no longer wants it. */
const SLICE = 3
/** Milliseconds after which what was found is sent, however little. */
const SEND_AFTER = 25
/** Milliseconds for which a search that has found nothing yet comes before others. */
const FIRST = 100

/** A search under way: what it finds is sent in batches. */
export class Search {
  readonly #found: Iterator<Found | undefined>
  #most = FIRST_BATCH
  #hits: Found[] = []
  /** When these hits were asked for. */
  #since = Date.now()
  #isNew = true

  /** @param found yields nothing where others are to get their turn */
  constructor(found: Iterator<Found | undefined>) {
    this.#found = found
  }

  /** Whether nothing of it was sent yet, and it may come before others for that. */
  get isFirst(): boolean {
    return this.#isNew && Date.now() - this.#since < FIRST
  }

  /** More of it is wanted from now on. */
  goOn(): void {
    this.#since = Date.now()
  }

  /** Looks for a slice of time. @returns what is to be sent; nothing if that is to wait for more */
  next(): FoundNames | undefined {
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

  #batch(last: boolean): FoundNames {
    const batch = toColumns(this.#hits, last)
    this.#hits = []
    this.#isNew = false
    this.#most = Math.min(BATCH, this.#most * GROWTH)
    return batch
  }
}

const toColumns = (hits: readonly Found[], last: boolean): FoundNames => ({
  paths: hits.map(hit => hit.path).join('\0'),
  facts: Float64Array.from(hits, hit => hit.fact),
  disks: Float64Array.from(hits, hit => hit.disk),
  last,
})
