import { decodeEscapes, escapeBytes } from '../../shared/bytes.ts'

/** Marks an escaped path. No path and no scope begins with it. */
const MARK = '%'

/**
 * A path as stored. Databases hold text only, so a path with bytes that are not UTF-8 is escaped; all others are stored
 * unchanged. Equal paths have equal stored forms.
 */
export function toStored(path: string): string {
  return path.isWellFormed() && !path.startsWith(MARK) ? path : MARK + escapeBytes(path)
}

export function fromStored(text: string): string {
  return text.startsWith(MARK) ? (decodeEscapes(text.slice(MARK.length)) ?? text) : text
}

/** The prefixes, plain and escaped, of all stored paths below a folder. */
export function storedBelow(folder: string): string[] {
  const below = folder === '/' ? folder : `${folder}/`
  return [below, MARK + escapeBytes(below)].filter(prefix => prefix.isWellFormed())
}
