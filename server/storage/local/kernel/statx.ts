/** Size of `struct statx` in bytes; see statx(2). It is the same on every processor. */
export const STATX_BYTES = 256

/** Offsets of its fields. */
const AT = { mode: 28, ino: 32, size: 40, birth: 80, change: 96, modification: 112 }

const SECOND = 1_000_000_000
/** Half and whole of a 32-bit word. */
const HALF = 2 ** 16
const WORD = 2 ** 32

/** 32-bit words that `Statx.writeMarks` writes. */
export const MARK_WORDS = 10

/** The result of the last `statx` of a thread, read where the kernel wrote it: valid until the next call. */
export class Statx {
  readonly #view: DataView
  readonly #start: number
  readonly #words = new Uint32Array(2)

  /** @param start offset of the `struct statx` */
  constructor(view: DataView, start: number) {
    this.#view = view
    this.#start = start
  }

  /** Type and permission bits. */
  get mode(): number {
    return this.#view.getUint16(this.#start + AT.mode, true)
  }

  /** Bytes, as the nearest number. */
  get bytes(): number {
    const at = this.#start + AT.size
    return this.#view.getUint32(at + 4, true) * WORD + this.#view.getUint32(at, true)
  }

  get size(): bigint {
    return this.#view.getBigUint64(this.#start + AT.size, true)
  }

  get ino(): bigint {
    return this.#view.getBigUint64(this.#start + AT.ino, true)
  }

  get birthtimeNs(): bigint {
    return this.#timeAt(AT.birth)
  }

  get mtimeNs(): bigint {
    return this.#timeAt(AT.modification)
  }

  get ctimeNs(): bigint {
    return this.#timeAt(AT.change)
  }

  /** Nanoseconds of the last modification, as the nearest number. */
  get modifiedNs(): number {
    if (this.#isOdd(AT.modification)) return Number(this.mtimeNs)
    this.#writeTime(AT.modification, this.#words, 0)
    return (this.#words[1] ?? 0) * WORD + (this.#words[0] ?? 0)
  }

  /** Writes `ino, birthtimeNs, size, mtimeNs, ctimeNs` as 64-bit integers, without a `bigint` for each. */
  writeMarks(to: Uint32Array, at: number): void {
    this.#copy(AT.ino, to, at)
    this.#writeTime(AT.birth, to, at + 2)
    this.#copy(AT.size, to, at + 4)
    this.#writeTime(AT.modification, to, at + 6)
    this.#writeTime(AT.change, to, at + 8)
  }

  #copy(field: number, to: Uint32Array, at: number): void {
    to[at] = this.#view.getUint32(this.#start + field, true)
    to[at + 1] = this.#view.getUint32(this.#start + field + 4, true)
  }

  /** Nanoseconds of a `struct statx_timestamp`. */
  #timeAt(field: number): bigint {
    const at = this.#start + field
    return this.#view.getBigInt64(at, true) * BigInt(SECOND) + BigInt(this.#view.getUint32(at + 8, true))
  }

  /** The same as two words: every step is exact in a double. */
  #writeTime(field: number, to: Uint32Array, at: number): void {
    const from = this.#start + field
    if (this.#isOdd(field)) return this.#writeOddTime(field, to, at)
    const seconds = this.#view.getUint32(from + 4, true) * WORD + this.#view.getUint32(from, true)
    const upper = SECOND * Math.floor(seconds / HALF)
    const low = (upper % HALF) * HALF + SECOND * (seconds % HALF) + this.#view.getUint32(from + 8, true)
    to[at] = low % WORD
    to[at + 1] = Math.floor(upper / HALF) + Math.floor(low / WORD)
  }

  /** Whether a time lies before 1970 or after 2242: beyond, nanoseconds leave 63 bits. */
  #isOdd(field: number): boolean {
    const high = this.#view.getInt32(this.#start + field + 4, true)
    return high < 0 || high > 1
  }

  #writeOddTime(field: number, to: Uint32Array, at: number): void {
    const time = BigInt.asUintN(64, this.#timeAt(field))
    to[at] = Number(time & 0xffff_ffffn)
    to[at + 1] = Number(time >> 32n)
  }
}
