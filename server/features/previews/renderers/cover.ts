import { type IOptions, type IPicture, parseBlob, selectCover } from 'music-metadata'
import type { Sharp } from 'sharp'
import { decode } from './decoder.ts'
import type { Source } from './source.ts'

/** The smallest read in bytes: tags are read a few bytes at a time. */
const AHEAD = 64 * 1024

/** The embedded cover of an audio file. */
export async function open(source: Source): Promise<Sharp> {
  const cover = await coverOf(source)
  if (!cover) throw new Error('no embedded cover')
  return decode(cover)
}

/** The front cover, else the first image in the tags. @throws as the source, and for what is not an audio file */
export async function coverOf(source: Source): Promise<Buffer | undefined> {
  let pictures: IPicture[] | undefined
  const observer: IOptions['observer'] = ({ metadata }) => {
    pictures = metadata.common.picture
  }
  try {
    await parseBlob(new SourceBlob(aheadOf(source), 0, source.length), { skipPostHeaders: true, observer })
  } catch (thrown) {
    // Data after the tags may be truncated.
    if (!pictures) throw thrown
  }
  const cover = selectCover(pictures)
  return cover ? Buffer.from(cover.data) : undefined
}

/** A source that serves reads from the last block it fetched. */
function aheadOf(source: Source): Source {
  let from = 0
  let held: Buffer = Buffer.alloc(0)
  const { length } = source
  return {
    length,
    async read(start, wanted) {
      const end = Math.min(start + wanted, length)
      if (start < from || end > from + held.length) {
        held = await source.read(start, Math.max(wanted, AHEAD))
        from = start
      }
      return held.subarray(start - from, Math.max(start, end) - from)
    },
  }
}

/** A source as the library reads it: by slices. */
class SourceBlob extends Blob {
  readonly #source: Source
  readonly #start: number
  readonly #end: number

  constructor(source: Source, start: number, end: number) {
    super()
    this.#source = source
    this.#start = start
    this.#end = end
  }

  override get size(): number {
    return this.#end - this.#start
  }

  override slice(start = 0, end = this.size): Blob {
    return new SourceBlob(this.#source, this.#start + start, Math.min(this.#start + end, this.#end))
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.#source.read(this.#start, this.size)
    return new Uint8Array(bytes).buffer
  }
}
