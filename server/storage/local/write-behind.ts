import type { FileHandle } from 'node:fs/promises'

/** Bytes after which it may be told how much is on the disk, so that not much more than this is sent twice. */
export const TELL_EVERY = 32 * 1024 * 1024
/** Bytes that are written at a time; the same number comes meanwhile. */
const BATCH = 512 * 1024
/** Pieces of memory kept for the next file when nobody uses them. */
const KEPT = 16

export interface WriteBehindOptions {
  /** Offset of the first byte. */
  at: number
  /** Bytes after which what was written is brought to the disk while more comes, so that little is left for the end. */
  flushEvery: number
  /** Bytes after which `flushed` is told, besides at the end; without it only then. */
  tellEvery?: number
  /** Told how far everything is on the disk. */
  flushed?(end: number): Promise<void>
}

/**
 * Writes pieces to a file, many at a time, and brings them to the disk while the next ones come. A failure is thrown by
 * whatever is asked next. Pieces are copied, since memory that is used again costs less than what has to be collected.
 */
export class WriteBehind {
  readonly #file: FileHandle
  readonly #how: WriteBehindOptions
  #memory: Buffer | undefined
  #filled = 0
  #written: number
  #flushed: number
  #told: number
  #writing: Promise<void> | undefined
  #flushing: Promise<void> | undefined
  #failure: { thrown: unknown } | undefined
  /** Set once a flush has failed: the system forgets what it could not bring to the disk, and says yes to the next one. */
  #isLost = false

  constructor(file: FileHandle, how: WriteBehindOptions) {
    this.#file = file
    this.#how = how
    this.#written = how.at
    this.#flushed = how.at
    this.#told = how.at
  }

  /** Settles when the piece may be used for something else. */
  async take(piece: Buffer): Promise<void> {
    for (let at = 0; at < piece.length; ) {
      this.#memory ??= spare.pop() ?? Buffer.allocUnsafeSlow(BATCH)
      const copied = piece.copy(this.#memory, this.#filled, at)
      this.#filled += copied
      at += copied
      if (this.#filled === BATCH) await this.#begin()
    }
  }

  /** Settles when all that was taken is on the disk. */
  async flush(): Promise<void> {
    await this.salvage()
    this.#demandWell()
  }

  /** Settles when all that was taken is written, and nothing is under way. */
  async settle(): Promise<void> {
    await this.#quiet()
    this.#demandWell()
  }

  /** Brings to the disk what could be written, whatever failed. */
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

  /** Settles when the batch before is written and this one is on its way. */
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
      if (this.#written - this.#flushed >= this.#how.flushEvery) this.#flushing ??= this.#flush(this.#how.tellEvery)
    } catch (thrown) {
      this.#failure ??= { thrown }
    }
    if (spare.length < KEPT) spare.push(memory)
  }

  /** @param least bytes that are worth telling of */
  async #flush(least = Number.POSITIVE_INFINITY): Promise<void> {
    const end = this.#written
    try {
      if (this.#isLost) return
      await this.#bring(end)
      if (end - this.#told < least) return
      this.#told = end
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

const spare: Buffer[] = []

/** A single call to the system may take only a part. */
async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
