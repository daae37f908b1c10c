import { Readable } from 'node:stream'

/** Milliseconds after which the bytes at hand are passed on, though more would fit. */
const PATIENCE = 100

/** Reads chunks of any size as bytes. */
export interface Filler {
  /**
   * Reads the next bytes into a buffer: as many as fit, fewer where the chunks arrive slowly or end, 0 at the end.
   * @throws the error of the chunks
   */
  fill(into: Uint8Array): Promise<number>
  /** Releases the chunks. Idempotent. */
  end(): Promise<void>
}

/** @param chunks each is read only until the next one is requested, so that its memory can be reused */
export function fillerOf(chunks: AsyncIterable<Uint8Array>): Filler {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return {
    async fill(into) {
      const began = performance.now()
      let filled = 0
      while (filled < into.length) {
        if (rest.length === 0) {
          if (filled > 0 && performance.now() - began > PATIENCE) break
          const { done, value } = await source.next()
          if (done) break
          rest = value
        }
        const part = rest.length > into.length - filled ? rest.subarray(0, into.length - filled) : rest
        into.set(part, filled)
        filled += part.length
        rest = rest.subarray(part.length)
      }
      return filled
    },
    async end() {
      await source.return?.()
      // A stream that was never read ignores the iterator's return.
      if (chunks instanceof Readable) chunks.destroy()
    },
  }
}

/** Bytes of a joined chunk. */
const CHUNK = 256 * 1024

/** Joins chunks, such as headers and small files, into larger ones that have memory of their own. */
export async function* joined(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { fill, end } = fillerOf(chunks)
  try {
    let memory = Buffer.allocUnsafeSlow(CHUNK)
    for (;;) {
      const count = await fill(memory)
      if (count === 0) return
      if (count < CHUNK) {
        yield Buffer.from(memory.subarray(0, count))
        continue
      }
      yield memory
      memory = Buffer.allocUnsafeSlow(CHUNK)
    }
  } finally {
    await end()
  }
}
