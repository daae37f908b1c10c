import { type ByteSource, damaged } from './source.ts'

/** Bytes that are read from the start to the end. */
export interface ByteReader {
  /** How many have been read or skipped. */
  readonly at: number
  /** Exactly so many bytes, valid until the next call; nothing when none are left. @throws undecodable when too few are */
  take(length: number): Promise<Buffer | undefined>
  /** So many bytes in pieces. @throws undecodable when too few are left */
  pass(length: number): AsyncGenerator<Buffer>
  /** @throws undecodable when too few are left */
  skip(length: number): Promise<void>
}

/** Exactly so many bytes. @throws undecodable */
export async function demandBytes(reader: ByteReader, length: number): Promise<Buffer> {
  const bytes = await reader.take(length)
  if (!bytes) throw damaged()
  return bytes
}

const NOTHING = Buffer.alloc(0)

/** Reads what arrives in pieces, such as an archive that is unpacked on the way. */
export class PieceReader implements ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #piece: Buffer = NOTHING
  #at = 0

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  get at(): number {
    return this.#at
  }

  async take(length: number): Promise<Buffer | undefined> {
    if (this.#piece.length < length && !(await this.#gather(length))) {
      if (this.#piece.length === 0) return undefined
      throw damaged()
    }
    return this.#cut(length)
  }

  /** Up to so many bytes, fewer only at the end; they are still to be read. */
  async peek(length: number): Promise<Buffer> {
    await this.#gather(length)
    return this.#piece.subarray(0, length)
  }

  async *pass(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (this.#piece.length === 0 && !(await this.#gather(1))) throw damaged()
      const piece = this.#cut(Math.min(left, this.#piece.length))
      left -= piece.length
      yield piece
    }
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.pass(length));
  }

  /** Stops whoever makes the pieces. */
  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  #cut(length: number): Buffer {
    const cut = this.#piece.subarray(0, length)
    this.#piece = this.#piece.subarray(length)
    this.#at += length
    return cut
  }

  /** Joins pieces until there are so many bytes. @returns whether there are */
  async #gather(length: number): Promise<boolean> {
    const parts = [this.#piece]
    let gathered = this.#piece.length
    while (gathered < length) {
      const { done, value } = await this.#pieces.next()
      if (done) break
      const part = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      parts.push(part)
      gathered += part.length
    }
    if (parts.length > 1) this.#piece = Buffer.concat(parts)
    return gathered >= length
  }
}

/** Bytes read at once where one jumps from header to header. */
const AHEAD = 64 * 1024

/** Reads a file and leaps over what is skipped. */
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
    for await (const piece of this.#source.stream(start, length)) yield piece
  }

  async skip(length: number): Promise<void> {
    if (this.#at + length > this.#source.size) throw damaged()
    this.#move(length)
  }

  #move(length: number): void {
    this.#ahead = this.#ahead.subarray(length)
    this.#at += length
  }
}
