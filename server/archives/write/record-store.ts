import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Bytes that are collected before they are compressed. */
const BATCH = 256 * 1024
/**
 * Stores many small records until the end, compressed, because the directory of a million files would otherwise take a
 * hundred megabytes.
 */
export class RecordStore {
  readonly #packed: Buffer[] = []
  readonly #open = Buffer.allocUnsafeSlow(BATCH)
  #filled = 0
  #length = 0

  /** Total size of the records in bytes. */
  get length(): number {
    return this.#length
  }

  /** @param record of less than 200 kB */
  add(record: Buffer): void {
    if (this.#filled + record.length > BATCH) {
      this.#packed.push(deflateRawSync(this.#open.subarray(0, this.#filled), { level: 1 }))
      this.#filled = 0
    }
    record.copy(this.#open, this.#filled)
    this.#filled += record.length
    this.#length += record.length
  }

  /** All records in order, in batches; a batch is valid until the next one is requested. */
  *records(): Generator<Buffer> {
    for (const batch of this.#packed) {
      const records = inflateRawSync(batch, { chunkSize: BATCH })
      yield records
      // Released at once: with few other allocations the garbage collector would rarely run.
      if (records.buffer instanceof ArrayBuffer) records.buffer.transfer(0)
    }
    yield this.#open.subarray(0, this.#filled)
  }
}
