import { decodeEscapes, escapeBytes } from '../../shared/bytes.ts'

/** Begins what is stored escaped. No path and no scope begins so. */
const MARK = '%'

/**
 * A path as databases keep it. They hold text only, so one with bytes that are not UTF-8 is escaped; all others, which
 * is nearly all, stand there as they are. Equal paths are stored equally.
 */
export function toStored(path: string): string {
  return path.isWellFormed() && !path.startsWith(MARK) ? path : MARK + escapeBytes(path)
}

export function fromStored(text: string): string {
  return text.startsWith(MARK) ? (decodeEscapes(text.slice(MARK.length)) ?? text) : text
}

/** How everything begins that is stored of what lies below a folder: as it is, or escaped. */
export function storedBelow(folder: string): string[] {
  const below = folder === '/' ? folder : `${folder}/`
  return [below, MARK + escapeBytes(below)].filter(prefix => prefix.isWellFormed())
}
