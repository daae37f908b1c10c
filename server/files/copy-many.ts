import type { FilePath } from '../../shared/path.ts'
import { type CopyOrder, type Entry, LARGEST_TOGETHER, type TreeFiller } from '../storage/driver.ts'

/** Files copied at a time: a disk takes many small ones to its platters together. */
const AT_ONCE = 8
/** Small files copied together. */
const TOGETHER = 128
/** Of these at a time: one is written while the other is brought to the disk. */
const SENT_AT_ONCE = 2

/** Lets a few things happen at a time. The first that fails is told to whoever asks next. */
export class Pool {
  readonly #running = new Set<Promise<void>>()
  #failure: { error: unknown } | undefined

  async run(act: () => Promise<void>): Promise<void> {
    const running = act()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running)
    if (this.#failure) throw this.#failure.error
  }

  async drain(): Promise<void> {
    await Promise.all(this.#running)
    if (this.#failure) throw this.#failure.error
  }
}

/** How files get into a folder that is being made. */
export interface Ways {
  /** Begins to copy many at a time, if the store can do that. */
  begin: () => Promise<TreeFiller | undefined>
  /** Where a file goes. */
  to: (entry: Entry) => FilePath
  /** Copies one by itself. */
  one: (entry: Entry) => Promise<void>
  /** Told of each that was copied with others. */
  done: (entry: Entry) => void
}

/** Copies files: small ones of which there are many together, and all others a few at a time. */
export class ManyCopies {
  readonly #ways: Ways
  readonly #pool = new Pool()
  #filler: TreeFiller | 'none' | undefined
  #small: Entry[] = []
  /** The files that are being copied together, the first sent first. */
  readonly #sent: Promise<void>[] = []

  constructor(ways: Ways) {
    this.#ways = ways
  }

  /** Takes a file over; returns when there is room for the next one. @throws the first failure of those before */
  async add(entry: Entry): Promise<void> {
    if (this.#filler === 'none' || entry.size > LARGEST_TOGETHER) return this.#alone(entry)
    this.#small.push(entry)
    if (this.#small.length < TOGETHER) return
    this.#filler ??= (await this.#ways.begin()) ?? 'none'
    await this.#sendSmall()
  }

  /** Waits for all that was taken over, and copies no more. @throws the first failure */
  async end(): Promise<void> {
    try {
      await this.#sendSmall()
      for (const sent of this.#sent) await sent
    } finally {
      await this.close()
    }
  }

  /** To be called when nothing more is to come, also after a failure. Harmless when called again. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#sent)
    if (this.#filler !== 'none') this.#filler?.close()
    this.#filler = 'none'
    await this.#pool.drain()
  }

  /** The next ones are looked for while these are copied. */
  async #sendSmall(): Promise<void> {
    const files = this.#small
    this.#small = []
    if (this.#sent.length === SENT_AT_ONCE) await this.#sent.shift()
    const sending = this.#send(files)
    // Whoever waits for it later is told.
    sending.catch(() => {})
    this.#sent.push(sending)
  }

  async #send(files: readonly Entry[]): Promise<void> {
    const orders = files.map((entry): CopyOrder => ({ from: entry.canonical, to: this.#ways.to(entry) }))
    const done = typeof this.#filler === 'object' ? await this.#filler.fill(orders) : []
    for (const [index, entry] of files.entries()) {
      if (done[index]) this.#ways.done(entry)
      else await this.#alone(entry)
    }
  }

  #alone(entry: Entry): Promise<void> {
    return this.#pool.run(() => this.#ways.one(entry))
  }
}
