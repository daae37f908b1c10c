import { MAX_IMAGE_BYTES } from '../../../../shared/limits.ts'
import { MAX_READS } from '../limits.ts'
import { TooLarge } from './decoder.ts'

/** A file as a renderer gets at it: by pieces, as few and as small as will do. */
export interface Source {
  /** Bytes of the file. */
  readonly length: number
  /**
   * Bytes from a place on; fewer where the file ends before.
   * @throws TooLarge when all reads together are more than may be read for a preview
   */
  read(start: number, length: number): Promise<Buffer>
}

/** A file of which `fetch` answers ranges that lie in it and are not empty. */
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
