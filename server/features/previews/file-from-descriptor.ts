import { closeSync, openSync, readSync } from 'node:fs'

/**
 * Where a process of the same account finds what this one holds open, on Linux; it must stay open until that process
 * has answered.
 */
export const placeOf = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`

/** Bytes of memory that is kept for the next file. */
const MOST_KEPT = 16 * 1024 * 1024

let kept = Buffer.alloc(0)

/**
 * A file that a process reads by itself, so that its bytes need not pass through another one. What is read of it first is
 * good until the next file is read: memory that is used again costs the system nothing.
 */
export class OwnFile {
  readonly #descriptor: number
  #isFirst = true

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** `undefined` where it cannot be opened. */
  static open(place: string): OwnFile | undefined {
    try {
      return new OwnFile(openSync(place, 'r'))
    } catch {
      return undefined
    }
  }

  /** `undefined` when there are not that many bytes, or they cannot be read. Waits for the disk. */
  read(start: number, length: number): Buffer | undefined {
    const taken = this.#memoryFor(length)
    try {
      for (let filled = 0; filled < length; ) {
        const count = readSync(this.#descriptor, taken, filled, length - filled, start + filled)
        if (count === 0) return undefined
        filled += count
      }
      return taken
    } catch {
      return undefined
    }
  }

  #memoryFor(length: number): Buffer {
    const mayKeep = this.#isFirst && length <= MOST_KEPT
    this.#isFirst = false
    if (!mayKeep) return Buffer.allocUnsafeSlow(length)
    if (kept.length < length) kept = Buffer.allocUnsafeSlow(length)
    return kept.subarray(0, length)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
