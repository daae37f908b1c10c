import type { FileHandle } from 'node:fs/promises'

/** Bytes after which written data is flushed while more arrives, so that little is left for the end. */
const FLUSH_EVERY = 8 * 1024 * 1024
/** Bytes per write; as many arrive during it. */
const BATCH = 512 * 1024
/** Buffers kept for the next file. */
const KEPT = 16

/**
 * Writes chunks to a file in batches, and flushes them while the next ones arrive. A failure is thrown by the next
 * call. Chunks are copied: reusing buffers costs less than garbage collection.
 */
export class WriteBehind {
  readonly #file: FileHandle
  #memory: Buffer | undefined
  #filled = 0
  /** Accepted, written and durable bytes of the file. */
  #taken: number
  #written: number
  #durable: number
  #writing: Promise<void> | undefined
  #flushing: Promise<void> | undefined
  #failure: { thrown: unknown } | undefined
  /** Set once a flush has failed: the kernel drops what it could not write, and the next flush succeeds. */
  #isLost = false

  /** @param at offset of the first byte @param durable bytes before it that are durable */
  constructor(file: FileHandle, at: number, durable = at) {
    this.#file = file
    this.#taken = at
    this.#written = at
    this.#durable = durable
  }

  get size(): number {
    return this.#taken
  }

  get durable(): number {
    return this.#durable
  }

  /** Resolves when the chunk's memory may be reused. */
  async take(chunk: Buffer): Promise<void> {
    this.#taken += chunk.length
    for (let at = 0; at < chunk.length; ) {
      this.#memory ??= freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BATCH)
      const copied = chunk.copy(this.#memory, this.#filled, at)
      this.#filled += copied
      at += copied
      if (this.#filled === BATCH) await this.#begin()
    }
  }

  /** Resolves when all accepted chunks are durable; after a failure, when those are that could be written. */
  async flush(): Promise<void> {
    await this.#quiet()
    await this.#flush()
    this.#demandWell()
  }

  /** Resolves when all accepted chunks are written, and nothing is in progress. */
  async settle(): Promise<void> {
    await this.#quiet()
    this.#demandWell()
  }

  /** The number of bytes that were written and not lost; nothing is in progress then. */
  async end(): Promise<number> {
    await this.#quiet()
    return this.#isLost ? this.#durable : this.#written
  }

  async #quiet(): Promise<void> {
    await this.#begin().catch(() => {})
    await this.#writing
    await this.#flushing
  }

  #demandWell(): void {
    if (this.#failure) throw this.#failure.thrown
  }

  /** Resolves when the previous batch is written and this one is in progress. */
  async #begin(): Promise<void> {
    await this.#writing
    this.#demandWell()
    const memory = this.#memory
    if (!memory) return
    this.#memory = undefined
    this.#writing = this.#write(memory, this.#filled)
    this.#filled = 0
  }

  async #write(memory: Buffer, length: number): Promise<void> {
    try {
      await writeAll(this.#file, memory.subarray(0, length), this.#written)
      this.#written += length
      if (this.#written - this.#durable >= FLUSH_EVERY) this.#flushing ??= this.#flush()
    } catch (thrown) {
      this.#failure ??= { thrown }
    }
    if (freeBuffers.length < KEPT) freeBuffers.push(memory)
  }

  async #flush(): Promise<void> {
    const end = this.#written
    try {
      if (this.#isLost || this.#durable === end) return
      await this.#file.datasync()
      this.#durable = end
    } catch (thrown) {
      this.#isLost = true
      this.#failure ??= { thrown }
    } finally {
      this.#flushing = undefined
    }
  }
}

const freeBuffers: Buffer[] = []

/** A single write may be partial. */
async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
