import type { Source } from './source.ts'

/** A box in the ISO base media format (ISO/IEC 14496-12, section 4.2): the range of its content. */
export interface Box {
  type: string
  start: number
  end: number
}

/** The most boxes read in one place. */
const MAX_BOXES = 64

/** The boxes between two offsets of a file, as far as they are whole. */
export async function boxesIn(source: Source, { start, end }: Pick<Box, 'start' | 'end'>): Promise<Box[]> {
  const found: Box[] = []
  for (let at = start; at + 8 <= end && found.length < MAX_BOXES; ) {
    const head = await source.read(at, 16)
    if (head.length < 8) break
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const size = short === 0 ? end - at : isLong ? Number(head.readBigUInt64BE(8)) : short
    const header = isLong ? 16 : 8
    if (size < header || at + size > end) break
    found.push({ type: head.toString('latin1', 4, 8), start: at + header, end: at + size })
    at += size
  }
  return found
}

/** The first box along a path of types, each inside the one before. */
export async function boxAt(source: Source, types: readonly string[]): Promise<Box | undefined> {
  let box: Box | undefined = { type: '', start: 0, end: source.length }
  for (const wanted of types) {
    if (box === undefined) return undefined
    box = (await boxesIn(source, box)).find(({ type }) => type === wanted)
  }
  return box
}
