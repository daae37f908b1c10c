import { indentUnit, LanguageDescription, type LanguageSupport } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import { loadChunk } from '../../../lib/chunk.ts'

/** Limits in characters, of the text and of a line, above which highlighting is too expensive. */
const MAX_COLOURED = 20_000_000
const MAX_COLOURED_LINE = 20_000

/** The language of a file by its name; `undefined` for plain text. */
export function languageOf(name: string): LanguageDescription | undefined {
  return LanguageDescription.matchFilename(languages, name) ?? undefined
}

/** @throws ChunkError */
export function loadLanguage(language: LanguageDescription): Promise<LanguageSupport> {
  return loadChunk(() => language.load())
}

/** Whether a text is small enough for highlighting. */
export function isColourable(text: Text): boolean {
  if (text.length > MAX_COLOURED) return false
  if (text.length / text.lines > MAX_COLOURED_LINE) return false
  for (const line of text.iterLines()) if (line.length > MAX_COLOURED_LINE) return false
  return true
}

/** Number of lines read to detect the indentation. */
const SAMPLE = 2000
const WIDTHS = [2, 4, 8, 3]

/** Detects the indentation of a text; two spaces by default. */
export function indentationOf(text: Text): Extension {
  const unit = unitOf(text)
  return [indentUnit.of(unit), EditorState.tabSize.of(unit === '\t' ? 4 : unit.length)]
}

/** One level of indentation: a tab, or a number of spaces. */
export function unitOf(text: Text): string {
  const steps = new Map<number, number>()
  let tabs = 0
  let spaces = 0
  let before = 0
  let left = SAMPLE
  for (const line of text.iterLines()) {
    left -= 1
    if (left < 0) break
    if (/^\s*$/.test(line)) continue
    const indent = /^ */.exec(line)?.[0].length ?? 0
    if (line.startsWith('\t')) tabs += 1
    else if (indent > 1) spaces += 1
    const step = Math.abs(indent - before)
    if (WIDTHS.includes(step)) steps.set(step, (steps.get(step) ?? 0) + 1)
    before = indent
  }
  if (tabs > spaces) return '\t'
  const [width = 2] = [...steps].sort((a, b) => b[1] - a[1])[0] ?? []
  return ' '.repeat(width)
}
