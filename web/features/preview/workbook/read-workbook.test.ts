import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { cellText } from '../table/parse.ts'
import { readWorkbook, type Sheet } from './read-workbook.ts'

const MADE = readFileSync('test/corpus/documents/catch.xlsx')

/** The rows of a sheet, as shown. */
function rowsOf(sheet: Sheet | undefined): string[][] {
  if (!sheet) return []
  const { text, cells } = sheet.table
  return Array.from({ length: cells.rows.length - 1 }, (_, row) =>
    Array.from({ length: cells.columns }, (__, column) => cellText(text, cells, row, column)),
  )
}

/** A workbook with one sheet. */
function workbook(sheet: string): Uint8Array {
  return zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<Relationships><Relationship Id="r1" Target="/xl/s.xml"/></Relationships>'),
    'xl/s.xml': strToU8(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
  })
}

const reason = (bytes: Uint8Array) => {
  try {
    readWorkbook(bytes)
    return 'none'
  } catch (error) {
    return (error as { reason?: string }).reason
  }
}

test('a workbook is read sheet by sheet, with formatted cells and without hidden sheets', () => {
  const sheets = readWorkbook(MADE)
  expect(sheets.map(({ name }) => name)).toEqual(['Catch', 'أسماء'])
  expect(rowsOf(sheets[0])).toEqual([
    ['Fish', 'Weight', 'Caught', 'Share'],
    ['Carp & "Co"', '12.5', '2026-11-21', '60.2%'],
    ['Ørret', '8.25', '', '39.8%'],
    ['', '', '', ''],
    ['', '', '', ''],
    ['Sum', '20.75', '2026-11-21 18:30', ''],
  ])
  expect(rowsOf(sheets[1])).toEqual([['مدينة'], ['"quoted"'], ['two\nlines']])
})

test('reading stops at the maximum number of cells, however far apart they are', () => {
  const [sheet] = readWorkbook(workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), 100)
  expect(sheet?.table.cut).toBe(true)
  expect(sheet?.table.cells.columns).toBe(100)
})

test('cells without an address are consecutive, and those out of bounds are left out', () => {
  const [sheet] = readWorkbook(
    workbook('<row><c><v>1</v></c><c t="b"><v>1</v></c></row><row><c r="ZZZ2"><v>9</v></c></row>'),
  )
  expect(rowsOf(sheet)).toEqual([
    ['1', 'TRUE'],
    ['9', ''],
  ])
})

test('the reason why a workbook cannot be read is reported', () => {
  expect(reason(MADE.subarray(0, MADE.length / 2))).toBe('damaged')
  expect(reason(strToU8('no archive'))).toBe('damaged')
  expect(reason(zipSync({ 'a.txt': strToU8('a') }))).toBe('damaged')
  expect(reason(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1))).toBe('encrypted')
})

test('an archive that would grow too large is refused by the sizes in its directory', () => {
  const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(1024) })
  const directory = bomb.findLastIndex((byte, at) => byte === 0x50 && bomb[at + 2] === 1 && bomb[at + 3] === 2)
  new DataView(bomb.buffer).setUint32(directory + 24, 0x7fffffff, true)
  expect(reason(bomb)).toBe('tooLarge')
})
