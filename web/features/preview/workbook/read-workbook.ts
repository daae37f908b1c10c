import { type Unreadable, UnreadableError } from '../document/unreadable.ts'
import { attribute, opened, type Token, tokensOf } from '../document/xml.ts'
import { textOf, unpack } from '../document/zip.ts'
import { MAX_CELLS, type Table } from '../table/parse.ts'
import { formatCell, type NumberFormat, numberFormat } from './number-format.ts'
import { TableWriter } from './table-writer.ts'

/** A sheet of a workbook (ECMA-376 part 1, 18.3), as shown. */
export interface Sheet {
  name: string
  table: Table
}

/** The response of the worker. */
export type Answer = { sheets: Sheet[] } | { reason: Unreadable }

/** The data that cells refer to. */
interface Common {
  strings: readonly string[]
  formats: readonly NumberFormat[]
  from1904: boolean
}

/** All visible sheets, up to a total number of cells. @throws UnreadableError */
export function readWorkbook(bytes: Uint8Array, most = MAX_CELLS): Sheet[] {
  const parts = unpack(bytes, name => /\.(?:xml|rels)$/i.test(name))
  const workbook = textOf(parts, 'xl/workbook.xml')
  if (workbook === undefined) throw new UnreadableError('damaged')
  const targets = targetsOf(textOf(parts, 'xl/_rels/workbook.xml.rels') ?? '')
  const common: Common = {
    strings: stringsOf(textOf(parts, 'xl/sharedStrings.xml') ?? ''),
    formats: formatsOf(textOf(parts, 'xl/styles.xml') ?? ''),
    from1904: /\bdate1904\s*=\s*["'](?:1|true)["']/.test(workbook),
  }
  let left = most
  const sheets: Sheet[] = []
  for (const { name, id } of sheetsOf(workbook)) {
    const sheet = textOf(parts, targets.get(id) ?? '')
    if (sheet === undefined) continue
    const table = readSheet(sheet, common, left)
    left -= table.cells.ends.length / 2
    sheets.push({ name, table })
  }
  if (sheets.length === 0) throw new UnreadableError('damaged')
  return sheets
}

/** Parts by the id of their relationship to the workbook. */
function targetsOf(relations: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>()
  for (const token of opened(relations, 'Relationship')) {
    const target = attribute(token, 'Target') ?? ''
    targets.set(attribute(token, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  return targets
}

function sheetsOf(workbook: string): { name: string; id: string }[] {
  return [...opened(workbook, 'sheet')]
    .filter(token => !/hidden/i.test(attribute(token, 'state') ?? ''))
    .map(token => ({ name: attribute(token, 'name') ?? '', id: attribute(token, 'id') ?? '' }))
}

/** Shared strings, without phonetic annotations. */
function stringsOf(xml: string): string[] {
  const strings: string[] = []
  let text = ''
  let inText = false
  let spoken = false
  for (const { kind, name, content, empty } of tokensOf(xml)) {
    if (kind === 'text') text += inText && !spoken ? content : ''
    else if (name === 't') inText = kind === 'open' && !empty
    else if (name === 'rPh') spoken = kind === 'open' && !empty
    else if (name === 'si') {
      if (kind === 'close' || empty) strings.push(text)
      text = ''
    }
  }
  return strings
}

/** Number formats by the style of a cell. */
function formatsOf(xml: string): NumberFormat[] {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let inCells = false
  for (const token of tokensOf(xml)) {
    if (token.name === 'cellXfs') inCells = token.kind === 'open'
    if (token.kind !== 'open') continue
    if (token.name === 'numFmt') codes.set(Number(attribute(token, 'numFmtId')), attribute(token, 'formatCode') ?? '')
    if (token.name !== 'xf' || !inCells) continue
    const id = Number(attribute(token, 'numFmtId') ?? 0)
    formats.push(numberFormat(id, codes.get(id)))
  }
  return formats
}

const PLAIN = numberFormat(0)

function readSheet(xml: string, common: Common, most: number): Table {
  const writer = new TableWriter(most)
  let cell: Token | undefined
  let value = ''
  let inValue = false
  for (const token of tokensOf(xml)) {
    const { kind, name, empty } = token
    if (kind === 'text') value += inValue ? token.content : ''
    else if (name === 'v' || name === 't') inValue = kind === 'open' && !empty
    else if (name === 'row' && kind === 'open') writer.row(Number(attribute(token, 'r')))
    else if (name === 'c') {
      if (cell && kind === 'close') writer.cell(attribute(cell, 'r'), shownValue(cell, value, common))
      cell = kind === 'open' && !empty ? token : undefined
      value = ''
    }
    if (writer.full) break
  }
  return writer.table()
}

/** The text of a cell (ECMA-376 part 1, 18.18.11). */
function shownValue(cell: Token, value: string, { strings, formats, from1904 }: Common): string {
  switch (attribute(cell, 't')) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'str':
    case 'inlineStr':
    case 'e':
    case 'd':
      return value
    default:
      return formatCell(value, formats[Number(attribute(cell, 's') ?? 0)] ?? PLAIN, from1904)
  }
}
