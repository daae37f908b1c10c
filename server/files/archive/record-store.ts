import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Bytes that are collected before they are packed. */
const BATCH = 256 * 1024

/**
 * Keeps many small records until the end, packed, because the directory of a million files would otherwise take a
 * hundred megabytes.
 */
export class RecordStore {
  readonly #packed: Buffer[] = []
  #open: Buffer[] = []
  #openLength = 0
  #length = 0

  /** Bytes of all records. */
  get length(): number {
    return this.#length
  }

  add(record: Buffer): void {
    this.#open.push(record)
    this.#openLength += record.length
    this.#length += record.length
    if (this.#openLength < BATCH) return
    this.#packed.push(deflateRawSync(Buffer.concat(this.#open), { level: 1 }))
    this.#open = []
    this.#openLength = 0
  }

  /** All records in order, many at a time. */
  *records(): Generator<Buffer> {
    for (const batch of this.#packed) yield inflateRawSync(batch)
    if (this.#openLength > 0) yield Buffer.concat(this.#open)
  }
}
