import type { Sharp } from 'sharp'
import { readFlacCover } from './covers/flac.ts'
import { readId3Cover } from './covers/id3.ts'
import { readMp4Cover } from './covers/mp4.ts'
import { readOggCover } from './covers/ogg.ts'
import { decode } from './decoder.ts'
import type { Source } from './source.ts'

/** Who finds the cover, by the first four bytes of a sound file; others are built of boxes. */
const READERS: readonly (readonly [string, (source: Source) => Promise<Buffer | undefined>])[] = [
  ['ID3', readId3Cover],
  ['fLaC', readFlacCover],
  ['OggS', readOggCover],
  ['', readMp4Cover],
]

/** The cover that a sound file brings along. */
export async function open(source: Source): Promise<Sharp> {
  const head = (await source.read(0, 4)).toString('latin1')
  const [, read] = READERS.find(([signature]) => head.startsWith(signature)) ?? []
  const cover = await read?.(source)
  if (!cover) throw new Error('no cover in it')
  return decode(cover)
}
