import { boxAt, boxesIn } from '../boxes.ts'
import type { Source } from '../source.ts'

/** The cover of an MP4 file: in a list of facts, behind eight bytes of its type and language. */
export async function readMp4Cover(source: Source): Promise<Buffer | undefined> {
  const meta = await boxAt(source, ['moov', 'udta', 'meta'])
  // Four bytes of version and flags come first.
  let inside = meta && { start: meta.start + 4, end: meta.end }
  for (const wanted of ['ilst', 'covr', 'data']) {
    inside = inside && (await boxesIn(source, inside)).find(({ type }) => type === wanted)
  }
  return inside && source.read(inside.start + 8, inside.end - inside.start - 8)
}
