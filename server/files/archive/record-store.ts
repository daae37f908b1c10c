import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Bytes that are collected before they are packed. */
const BATCH = 256 * 1024
/**
 * Bytes that are handed out at a time: small parts bring about that the runtime clears young memory, and only that gives back
 * the large ones they are parts of.
 */
const PART = 512

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

  /** All records in order, some bytes at a time. */
  *records(): Generator<Buffer> {
    for (const batch of this.#packed) yield* parts(inflateRawSync(batch))
    yield* parts(Buffer.concat(this.#open))
  }
}

function* parts(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART)
}
