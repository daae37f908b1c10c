import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Bytes that are collected before they are packed. */
const BATCH = 256 * 1024
/**
 * Keeps many small records until the end, packed, because the directory of a million files would otherwise take a
 * hundred megabytes.
 */
export class RecordStore {
  readonly #packed: Buffer[] = []
  readonly #open = Buffer.allocUnsafeSlow(BATCH)
  #filled = 0
  #length = 0

  /** Bytes of all records. */
  get length(): number {
    return this.#length
  }

  /** @param record of fewer than 200 kB */
  add(record: Buffer): void {
    if (this.#filled + record.length > BATCH) {
      this.#packed.push(deflateRawSync(this.#open.subarray(0, this.#filled), { level: 1 }))
      this.#filled = 0
    }
    record.copy(this.#open, this.#filled)
    this.#filled += record.length
    this.#length += record.length
  }

  /** All records in order, many at a time; those are good until the next are asked for. */
  *records(): Generator<Buffer> {
    for (const batch of this.#packed) {
      const records = inflateRawSync(batch, { chunkSize: BATCH })
      yield records
      // Garbage of this size would pile up, since the little that is made otherwise rarely wakes the collector.
      if (records.buffer instanceof ArrayBuffer) records.buffer.transfer(0)
    }
    yield this.#open.subarray(0, this.#filled)
  }
}
