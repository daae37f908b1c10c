import type { ByteRange } from '../files/types.ts'

/** Maximum ranges of a request sent as parts; with more, the whole file is sent. */
export const MAX_RANGES = 32

/**
 * The byte ranges a `Range` header asks for (RFC 9110, 14.2), clipped to the size.
 * @returns undefined when the header is absent, malformed, of another unit or asks for too much: send the whole file;
 *   `'unsatisfiable'` when nothing of it lies within the file
 */
export function parseRanges(header: string | undefined, size: number): ByteRange[] | 'unsatisfiable' | undefined {
  const list = /^bytes=([\d\s,-]{1,1024})$/i.exec(header ?? '')?.[1]
  if (list === undefined) return undefined
  const specs = list.split(',').map(spec => /^\s*(\d*)-(\d*)\s*$/.exec(spec))
  if (specs.length > MAX_RANGES || specs.some(spec => !spec || spec[0].trim() === '-')) return undefined
  const ranges: ByteRange[] = []
  for (const spec of specs) {
    const range = clip(spec?.[1] ?? '', spec?.[2] ?? '', size)
    if (range === 'malformed') return undefined
    if (range) ranges.push(range)
  }
  if (ranges.length === 0) return 'unsatisfiable'
  const wanted = ranges.reduce((sum, range) => sum + range.end - range.start + 1, 0)
  return wanted > size ? undefined : ranges
}

function clip(first: string, last: string, size: number): ByteRange | undefined | 'malformed' {
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? undefined : { start: size - suffix, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'malformed'
  return start >= size ? undefined : { start, end }
}
