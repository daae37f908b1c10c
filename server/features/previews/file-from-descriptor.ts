import { closeSync, openSync, readSync } from 'node:fs'

/**
 * The path by which another process of the same account opens a descriptor of this one, on Linux; the descriptor must
 * stay open until that process has answered.
 */
export const placeOf = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`

/** Bytes of memory kept for the next file. */
const MOST_KEPT = 16 * 1024 * 1024

let kept = Buffer.alloc(0)

/**
 * A file that a process reads itself, so that its bytes need not be transferred. The result of its first read is valid
 * until the next file is read: the memory is reused.
 */
export class DescriptorFile {
  readonly #descriptor: number
  #isFirst = true

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** `undefined` when it cannot be opened. */
  static open(place: string): DescriptorFile | undefined {
    try {
      return new DescriptorFile(openSync(place, 'r'))
    } catch {
      return undefined
    }
  }

  /** `undefined` when there are fewer bytes, or they cannot be read. Blocks on the disk. */
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
