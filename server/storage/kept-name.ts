import { byteLength } from '../../shared/bytes.ts'
import { extensionOf } from '../../shared/path.ts'

/** Bytes of the stem and of the extension that a kept name preserves: with an id and a note's ending it fits 255. */
const MAX_STEM = 180
const MAX_EXTENSION = 32

/** The name of a kept thing: recognizable, and unique by its id, also where letter case makes no difference. */
export function keptName(name: string, id: string): string {
  const extension = extensionOf(name)
  const isShort = extension !== name && byteLength(extension) <= MAX_EXTENSION
  const ending = isShort ? extension : ''
  return `${cut(name.slice(0, name.length - ending.length), MAX_STEM)}~${id}${ending}`
}

/** The longest beginning, whole characters, within a number of bytes. */
function cut(text: string, most: number): string {
  if (byteLength(text) <= most) return text
  let kept = ''
  let bytes = 0
  for (const char of text) {
    bytes += byteLength(char)
    if (bytes > most) return kept
    kept += char
  }
  return kept
}
