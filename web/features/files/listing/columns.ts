import { storedPreference } from '../../../lib/local-preference.ts'
import { useMedia } from '../../../lib/media.ts'
import { useStore } from '../../../lib/store.ts'

/** The columns besides the name, in the order in which they are offered. */
export const EXTRA_COLUMNS = ['kind', 'size', 'modified'] as const
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number]

/** The columns of lists in this browser. */
export interface Columns {
  /** Those shown after the name, in their order. */
  shown: readonly ExtraColumn[]
  /** CSS pixels; a column without an entry has its default width. */
  widths: Readonly<Partial<Record<ExtraColumn, number | undefined>>>
}

/** What all lists have that cannot be configured. */
export const DEFAULT_COLUMNS: Columns = { shown: ['size', 'modified'], widths: {} }

/** On wide screens, where a name of usual length leaves much of its column empty, until some were chosen. */
const WIDE_COLUMNS: Columns = { shown: EXTRA_COLUMNS, widths: {} }
const WIDE_QUERY = '(min-width: 1600px)'

export const LOWEST_WIDTH = 64
export const HIGHEST_WIDTH = 480

/** Wider on wide screens, so that the name and its figures stay close enough to be read as one row. */
const DEFAULT_WIDTHS: Record<ExtraColumn, string> = {
  kind: 'clamp(112px, 15%, 400px)',
  size: 'clamp(104px, 12%, 280px)',
  modified: 'clamp(160px, 18%, 400px)',
}

const preference = storedPreference('filigree.columns', parseColumns, writeColumns)

export const setColumns = preference.choose

export const currentColumns = (): Columns => columnsIn(matchMedia(WIDE_QUERY).matches, preference.store.get())

export function useColumns(): Columns {
  return columnsIn(useMedia(WIDE_QUERY), useStore(preference.store))
}

const columnsIn = (isWide: boolean, chosen: Columns) => (isWide && chosen === DEFAULT_COLUMNS ? WIDE_COLUMNS : chosen)

/** The template of the rows of a list. */
export function gridTemplate({ shown, widths }: Columns): string {
  const sizes = shown.map(column => {
    const width = widths[column]
    return `minmax(${LOWEST_WIDTH}px, ${width === undefined ? DEFAULT_WIDTHS[column] : `${width}px`})`
  })
  return `"check name ${shown.join(' ')} menu" 1fr / var(--check) minmax(160px, 1fr) ${sizes.join(' ')} 32px`
}

/** The columns with another width of one of them, within the limits; without a width it has its default. */
export function withWidth({ shown, widths }: Columns, column: ExtraColumn, width: number | undefined): Columns {
  return { shown, widths: { ...widths, [column]: width && Math.round(clampWidth(width)) } }
}

const clampWidth = (width: number) => Math.max(LOWEST_WIDTH, Math.min(width, HIGHEST_WIDTH))

/** Stored in place of columns where they were reset. */
const USUAL = 'usual'

/** Reads a stored text such as `kind:120 size`; what is unknown in it is dropped. */
export function parseColumns(text: string | null): Columns {
  if (text === null || text === USUAL) return DEFAULT_COLUMNS
  const widths: Partial<Record<ExtraColumn, number>> = {}
  const shown = text.split(' ').flatMap(part => {
    const [id, width] = part.split(':')
    const column = EXTRA_COLUMNS.find(extra => extra === id)
    if (column === undefined) return []
    if (Number(width)) widths[column] = clampWidth(Number(width))
    return [column]
  })
  return { shown: [...new Set(shown)], widths }
}

function writeColumns(columns: Columns): string {
  const { shown, widths } = columns
  if (columns === DEFAULT_COLUMNS) return USUAL
  return shown.map(column => `${column}:${widths[column] ?? ''}`).join(' ')
}
