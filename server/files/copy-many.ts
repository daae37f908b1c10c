import type { FilePath } from '../../shared/path.ts'
import { type BatchCopier, type CopyRequest, type Entry, LARGEST_IN_BATCH } from '../storage/driver.ts'

/** Files copied concurrently: disks flush several small writes together. */
const AT_ONCE = 8
/** Small files in a batch. */
const BATCH = 128
/** Concurrent batches: one is written while the other is flushed. */
const MAX_BATCHES = 2

/** Limits concurrent work. The first failure is thrown by the next call. */
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

/** How files get into a folder that is being copied. */
export interface CopyMethods {
  /** Opens the store's batch copy, where it has one. */
  begin: () => Promise<BatchCopier | undefined>
  /** The goal of a file. */
  to: (entry: Entry) => FilePath
  /** Copies a single file. */
  one: (entry: Entry) => Promise<void>
  /** Called for each file of a batch. */
  done: (entry: Entry) => void
}

/** Copies files: small ones in batches when there are many, all others with limited concurrency. */
export class CopyQueue {
  readonly #ways: CopyMethods
  readonly #pool = new Pool()
  #copier: BatchCopier | 'none' | undefined
  #small: Entry[] = []
  /** The batches being copied, oldest first. */
  readonly #sent: Promise<void>[] = []

  constructor(ways: CopyMethods) {
    this.#ways = ways
  }

  /** Queues a file; resolves when there is room for the next one. @throws the first failure of earlier files */
  async add(entry: Entry): Promise<void> {
    if (this.#copier === 'none' || entry.size > LARGEST_IN_BATCH) return this.#alone(entry)
    this.#small.push(entry)
    if (this.#small.length < BATCH) return
    this.#copier ??= (await this.#ways.begin()) ?? 'none'
    await this.#sendSmall()
  }

  /** Waits for all queued files, and accepts no more. @throws the first failure */
  async end(): Promise<void> {
    try {
      await this.#sendSmall()
      for (const sent of this.#sent) await sent
    } finally {
      await this.close()
    }
  }

  /** Must be called at the end, also after a failure. Idempotent. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#sent)
    if (this.#copier !== 'none') this.#copier?.close()
    this.#copier = 'none'
    await this.#pool.drain()
  }

  /** The next files are collected while these are copied. */
  async #sendSmall(): Promise<void> {
    const files = this.#small
    this.#small = []
    if (this.#sent.length === MAX_BATCHES) await this.#sent.shift()
    const sending = this.#send(files)
    // The failure is thrown where the batch is awaited.
    sending.catch(() => {})
    this.#sent.push(sending)
  }

  async #send(files: readonly Entry[]): Promise<void> {
    const requests = files.map((entry): CopyRequest => ({ from: entry.canonical, to: this.#ways.to(entry) }))
    const done = typeof this.#copier === 'object' ? await this.#copier.copy(requests) : []
    for (const [index, entry] of files.entries()) {
      if (done[index]) this.#ways.done(entry)
      else await this.#alone(entry)
    }
  }

  #alone(entry: Entry): Promise<void> {
    return this.#pool.run(() => this.#ways.one(entry))
  }
}
