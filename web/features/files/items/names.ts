import { checkName, numberedName, PathError } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'

/** Validates a name; returns the error message, or `undefined` for a valid name. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return t('files.nameEmpty')
  try {
    checkName(name)
    return undefined
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    if (error.problem === 'dot-segment') return t('files.nameDots')
    return error.problem === 'name-too-long' ? t('files.nameLong') : t('files.nameSlash')
  }
}

const TAIL = 6
const LONGEST_EXTENSION = 10
/** Names up to this length are never truncated in the middle. */
const SHORT = 20

/**
 * Splits a name for truncation: the first part shortens with an ellipsis; the second one, the last letters with the
 * extension, always stays.
 */
export function splitName(name: string): { start: string; end: string } {
  const letters = [...name]
  if (letters.length <= SHORT) return { start: name, end: '' }
  const dot = letters.lastIndexOf('.')
  const extension = dot > 0 && letters.length - dot <= LONGEST_EXTENSION ? letters.length - dot : 0
  const cut = letters.length - extension - TAIL
  return { start: letters.slice(0, cut).join(''), end: letters.slice(cut).join('') }
}

/** Number of UTF-16 units before the extension: what a rename selects. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}

/** The first numbered name that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let copy = 0
  while (taken.has(numberedName(name, copy))) copy += 1
  return numberedName(name, copy)
}

/** The same for a name with a compound extension such as `.tar.gz`. @returns the part before the extension */
export function freeStem(stem: string, ending: string, taken: ReadonlySet<string>): string {
  let copy = 0
  const numbered = () => (copy === 0 ? stem : `${stem}(${copy})`)
  while (taken.has(numbered() + ending)) copy += 1
  return numbered()
}

/** Whether a file of this name is a table: values separated by commas, semicolons or tabs. */
export function isTable(name: string): boolean {
  return /\.(?:csv|tsv|tab)$/i.test(name)
}

const ARCHIVE = /\.(?:zip|jar|cbz|7z|tar|tgz|tbz2|txz|tzst|tar\.(?:gz|bz2|xz|zst|lz4|sz|br))$/i

/** Whether a file of this name is an archive that the server reads. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name)
}

/** An archive's name without its extension. */
export function archiveStem(name: string): string {
  return name.replace(ARCHIVE, '') || name
}

/** Whether a file of this name is Markdown. */
export function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown|mkdn?)$/i.test(name)
}
