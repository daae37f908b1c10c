import { AppError } from '../../errors.ts'

/** Limits on what may be extracted from one archive. */
export interface ExtractLimits {
  /** Total size of all files in bytes. */
  bytes: number
  /** Maximum ratio of the total size to the archive's; does not apply to small output, see `RATIO_FREE`. */
  ratio: number
  /** Number of members. */
  members: number
  /** Depth of nested folders. */
  depth: number
}

/** Bytes up to which the ratio is not limited. */
export const RATIO_FREE = 64 * 1024 * 1024

/** Limits on what an extraction may write. Exceeding any of them is `body_too_large`. */
export class Budget {
  readonly #limits: ExtractLimits
  readonly #packed: number
  #bytes = 0
  #members = 0

  /** @param packed size of the archive itself in bytes */
  constructor(limits: ExtractLimits, packed: number) {
    this.#limits = limits
    this.#packed = packed
  }

  /** Refuses in advance what the archive declares. @throws body_too_large */
  demand(declared: { bytes: number; members: number }): void {
    this.#check(declared.bytes, declared.members)
  }

  /** @throws body_too_large */
  member(): void {
    this.#members += 1
    this.#check(this.#bytes, this.#members)
  }

  /** Passes content on, counting its bytes. @throws body_too_large */
  async *spent(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#bytes += chunk.length
      this.#check(this.#bytes, this.#members)
      yield chunk
    }
  }

  #check(bytes: number, members: number): void {
    const most = Math.min(this.#limits.bytes, Math.max(RATIO_FREE, this.#packed * this.#limits.ratio))
    if (bytes > most || members > this.#limits.members) throw new AppError('body_too_large')
  }
}
