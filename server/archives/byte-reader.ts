import { type ByteSource, corrupt } from './source.ts'

/** Reads bytes sequentially. */
export interface ByteReader {
  /** Offset: bytes read or skipped so far. */
  readonly at: number
  /**
   * Exactly `length` bytes, valid until the next call; `undefined` at the end. @throws undecodable when too few are
   * left
   */
  take(length: number): Promise<Buffer | undefined>
  /** `length` bytes in chunks. @throws undecodable when too few are left */
  pass(length: number): AsyncGenerator<Buffer>
  /** @throws undecodable when too few are left */
  skip(length: number): Promise<void>
}

/** Exactly `length` bytes. @throws undecodable */
export async function demandBytes(reader: ByteReader, length: number): Promise<Buffer> {
  const bytes = await reader.take(length)
  if (!bytes) throw corrupt()
  return bytes
}

const NOTHING = Buffer.alloc(0)

/** Reads a sequence of chunks, such as an archive that is decompressed on the fly. */
export class ChunkReader implements ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #chunk: Buffer = NOTHING
  #at = 0

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  get at(): number {
    return this.#at
  }

  async take(length: number): Promise<Buffer | undefined> {
    if (this.#chunk.length < length && !(await this.#gather(length))) {
      if (this.#chunk.length === 0) return undefined
      throw corrupt()
    }
    return this.#cut(length)
  }

  /** Up to `length` bytes, fewer only at the end, without consuming them. */
  async peek(length: number): Promise<Buffer> {
    await this.#gather(length)
    return this.#chunk.subarray(0, length)
  }

  async *pass(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (this.#chunk.length === 0 && !(await this.#gather(1))) throw corrupt()
      const chunk = this.#cut(Math.min(left, this.#chunk.length))
      left -= chunk.length
      yield chunk
    }
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.pass(length));
  }

  /** Ends the source of the chunks. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #cut(length: number): Buffer {
    const cut = this.#chunk.subarray(0, length)
    this.#chunk = this.#chunk.subarray(length)
    this.#at += length
    return cut
  }

  /** Joins chunks until there are `length` bytes. @returns whether there are */
  async #gather(length: number): Promise<boolean> {
    const parts = [this.#chunk]
    let gathered = this.#chunk.length
    while (gathered < length) {
      const { done, value } = await this.#chunks.next()
      if (done) break
      const part = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      parts.push(part)
      gathered += part.length
    }
    if (parts.length > 1) this.#chunk = Buffer.concat(parts)
    return gathered >= length
  }
}

/** Bytes read at once when jumping from header to header. */
const AHEAD = 64 * 1024

/** Reads a file, and seeks over skipped bytes. */
export class LeapingReader implements ByteReader {
  readonly #source: ByteSource
  #ahead: Buffer = NOTHING
  #at = 0

  constructor(source: ByteSource) {
    this.#source = source
  }

  get at(): number {
    return this.#at
  }

  async take(length: number): Promise<Buffer | undefined> {
    const left = this.#source.size - this.#at
    if (left <= 0) return undefined
    if (this.#ahead.length < length) {
      this.#ahead = await this.#source.read(this.#at, Math.max(length, Math.min(left, AHEAD)))
    }
    const taken = this.#ahead.subarray(0, length)
    this.#move(length)
    return taken
  }

  async *pass(length: number): AsyncGenerator<Buffer> {
    const start = this.#at
    this.#move(length)
    for await (const chunk of this.#source.stream(start, length)) yield chunk
  }

  async skip(length: number): Promise<void> {
    if (this.#at + length > this.#source.size) throw corrupt()
    this.#move(length)
  }

  #move(length: number): void {
    this.#ahead = this.#ahead.subarray(length)
    this.#at += length
  }
}
