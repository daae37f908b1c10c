import { MAX_IMAGE_BYTES } from '../../../../shared/limits.ts'
import { MAX_READS } from '../limits.ts'
import { TooLarge } from './decoder.ts'

/** A file as a renderer reads it: by ranges, as few and as small as possible. */
export interface Source {
  /** Size in bytes. */
  readonly length: number
  /**
   * Bytes from an offset; fewer at the end of the file.
   * @throws TooLarge when all reads together exceed the limit of a preview
   */
  read(start: number, length: number): Promise<Buffer>
}

/** A file read through `fetch`, which is only called for ranges that lie in it and are not empty. */
export function openSource(length: number, fetch: (start: number, length: number) => Promise<Buffer>): Source {
  let [reads, room] = [MAX_READS, MAX_IMAGE_BYTES]
  return {
    length,
    async read(start, wanted) {
      const bytes = Math.max(0, Math.min(wanted, length - start))
      if (bytes === 0) return Buffer.alloc(0)
      room -= bytes
      if (room < 0 || reads-- === 0) throw new TooLarge()
      return fetch(start, bytes)
    },
  }
}

export const readWhole = (source: Source): Promise<Buffer> => source.read(0, source.length)
