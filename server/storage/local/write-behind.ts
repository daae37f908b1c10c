import type { FileHandle } from 'node:fs/promises'

/** Bytes between progress reports: the client sends hardly more than this twice. */
export const REPORT_EVERY = 32 * 1024 * 1024
/** Bytes per write; as many arrive during it. */
const BATCH = 512 * 1024
/** Buffers kept for the next file. */
const KEPT = 16

export interface WriteBehindOptions {
  /** Offset of the first byte. */
  at: number
  /** Bytes after which written data is flushed while more arrives, so that little is left for the end. */
  flushEvery: number
  /** Bytes between calls of `flushed`, in addition to the one at the end. Default: only at the end. */
  reportEvery?: number
  /** Receives the offset up to which everything is durable. */
  flushed?(end: number): Promise<void>
}

/**
 * Writes chunks to a file in batches, and flushes them while the next ones arrive. A failure is thrown by the next
 * call. Chunks are copied: reusing buffers costs less than garbage collection.
 */
export class WriteBehind {
  readonly #file: FileHandle
  readonly #how: WriteBehindOptions
  #memory: Buffer | undefined
  #filled = 0
  #written: number
  #flushed: number
  #reported: number
  #writing: Promise<void> | undefined
  #flushing: Promise<void> | undefined
  #failure: { thrown: unknown } | undefined
  /** Set once a flush has failed: the kernel drops what it could not write, and the next flush succeeds. */
  #isLost = false

  constructor(file: FileHandle, how: WriteBehindOptions) {
    this.#file = file
    this.#how = how
    this.#written = how.at
    this.#flushed = how.at
    this.#reported = how.at
  }

  /** Resolves when the chunk's memory may be reused. */
  async take(piece: Buffer): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      this.#memory ??= freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BATCH)
      const copied = piece.copy(this.#memory, this.#filled, at)
      this.#filled += copied
      at += copied
      if (this.#filled === BATCH) await this.#begin()
    }
  }

  /** Resolves when all accepted chunks are durable. */
  async flush(): Promise<void> {
    await this.salvage()
    this.#demandWell()
  }

  /** Resolves when all accepted chunks are written, and nothing is in progress. */
  async settle(): Promise<void> {
    await this.#quiet()
    this.#demandWell()
  }

  /** Flushes what could be written, whatever failed. */
  async salvage(): Promise<void> {
    await this.#quiet()
    await this.#flush(0)
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
      if (this.#written - this.#flushed >= this.#how.flushEvery) this.#flushing ??= this.#flush(this.#how.reportEvery)
    } catch (thrown) {
      this.#failure ??= { thrown }
    }
    if (freeBuffers.length < KEPT) freeBuffers.push(memory)
  }

  /** @param least minimum number of new bytes to report */
  async #flush(least = Number.POSITIVE_INFINITY): Promise<void> {
    const end = this.#written
    try {
      if (this.#isLost) return
      await this.#bring(end)
      if (end - this.#reported < least) return
      this.#reported = end
      await this.#how.flushed?.(end)
    } catch (thrown) {
      this.#failure ??= { thrown }
    } finally {
      this.#flushing = undefined
    }
  }

  async #bring(end: number): Promise<void> {
    try {
      await this.#file.datasync()
      this.#flushed = end
    } catch (thrown) {
      this.#isLost = true
      throw thrown
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
