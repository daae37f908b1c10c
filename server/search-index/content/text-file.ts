import mime from 'mime'
import type { TextMatch } from '../../../shared/api/search.ts'
import { extensionOf, type FilePath, joinPath, nameOf, parentOf } from '../../../shared/path.ts'
import { previewedAs } from '../../../shared/previewed.ts'
import { decodeText, looksLikeText, SNIFF_BYTES, TEXT_EXTENSIONS } from '../../file-types/text-detection.ts'
import type { CrawlableFolder } from '../../storage/crawlable.ts'
import { foldText } from '../../storage/found-names.ts'
import { readFile } from '../../storage/local/sync-read.ts'
import type { WantedTexts } from '../search-index.ts'

/** Largest file that is indexed and searched, in bytes. */
export const MOST_BYTES = 1024 * 1024

/** Whether a file may be text, judged by its name and size alone; an inconclusive name counts as yes. */
export function mayHoldText(name: string, size: number): boolean {
  if (size <= 0 || size > MOST_BYTES) return false
  const kind = textKindOf(name)
  return kind === 'text' || kind === undefined
}

function textKindOf(name: string): 'text' | 'other' | undefined {
  const extension = extensionOf(name).toLowerCase()
  if (TEXT_EXTENSIONS.has(extension)) return 'text'
  if (previewedAs(name)) return 'other'
  const type = extension === '' ? null : mime.getType(extension)
  if (type === null) return undefined
  return type.startsWith('text/') ? 'text' : 'other'
}

/** A file as it is on disk. */
export interface TextFile {
  stamp: string
  bytes: number
  /** `undefined` for a file that is not text. */
  text: string | undefined
}

/** As `readFile`. */
export function readText(
  folder: string,
  name: string,
  level: CrawlableFolder['level'],
  stamp = '',
): TextFile | 'unchanged' | undefined {
  const file = readFile(folder, name, level, stamp, MOST_BYTES)
  if (!file || file === 'unchanged') return file
  return { stamp: file.stamp, bytes: file.content.length, text: textIn(file.content, name) }
}

/** The match in each file, in order; `undefined` for a file that does not contain all texts. */
export function* matchFiles(
  { folder, level }: CrawlableFolder,
  files: readonly FilePath[],
  { texts, caseSensitive }: WantedTexts,
): Generator<undefined, (TextMatch | undefined)[]> {
  const wanted = { texts: caseSensitive ? texts : texts.map(foldText), caseSensitive }
  const matches: (TextMatch | undefined)[] = []
  for (const path of files) {
    const file = readText(joinPath(folder as FilePath, parentOf(path)), nameOf(path), level)
    const text = file === 'unchanged' ? undefined : file?.text
    matches.push(text === undefined ? undefined : matchIn(text, wanted))
    yield
  }
  return matches
}

/** A file with NUL bytes is binary, whatever its name. */
function textIn(content: Buffer, name: string): string | undefined {
  if (textKindOf(name) !== 'text' && !looksLikeText(content.subarray(0, SNIFF_BYTES))) return undefined
  const text = decodeText(content)
  return text.includes('\0') ? undefined : text
}

/** Maximum length of a returned line in characters, and how many of them precede the match. */
const LINE = 160
const BEFORE = 20

/** The first match of the texts in a text that contains them all. @param wanted folded unless case-sensitive */
export function matchIn(text: string, { texts, caseSensitive }: WantedTexts): TextMatch | undefined {
  const folded = caseSensitive ? text : foldText(text)
  const [place = 0, ...others] = texts.map(wanted => folded.indexOf(wanted))
  if (place < 0 || others.some(other => other < 0)) return undefined
  const { line, start } = lineAt(folded, place)
  // Case folding may change lengths, but not lines.
  const own = startOf(text, line)
  const end = text.indexOf('\n', own)
  return { line, text: cut(text.slice(own, end < 0 ? undefined : end), place - start) }
}

/** The line number (from 1) of a position, and where the line begins. */
function lineAt(text: string, place: number): { line: number; start: number } {
  let [line, start] = [1, 0]
  for (let end = text.indexOf('\n'); end >= 0 && end < place; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, start }
}

function startOf(text: string, line: number): number {
  let start = 0
  for (let count = 1; count < line; count++) start = text.indexOf('\n', start) + 1
  return start
}

/** The part of a line around a position. */
function cut(line: string, place: number): string {
  const start = place <= BEFORE || line.length <= LINE ? 0 : place - BEFORE
  const end = Math.min(line.length, start + LINE)
  const part = line.slice(start, end).toWellFormed().trim()
  return `${start > 0 ? '…' : ''}${part}${end < line.length ? '…' : ''}`
}
