import { closeSync, openSync, readSync } from 'node:fs'

/**
 * Where a process of the same account finds what this one holds open, on Linux; it must stay open until that process
 * has answered.
 */
export const placeOf = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`

/** A file that a process reads by itself, so that its bytes need not pass through another one. */
export class OwnFile {
  readonly #descriptor: number

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
    const taken = Buffer.allocUnsafeSlow(length)
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

  close(): void {
    closeSync(this.#descriptor)
  }
}
