import { expect, test } from 'vitest'
import { joined, matchesIn, pieceAt } from './page-text.ts'

const page = joined([
  { str: 'A quick', hasEOL: true },
  { str: 'brown ', hasEOL: false },
  { str: 'FOX İs', hasEOL: false },
])

test('words are found across text items and line ends, ignoring case', () => {
  expect(matchesIn(page.text, ' quick  BROWN fox', 3)).toEqual([{ page: 3, start: 2, end: 17 }])
  expect(matchesIn(page.text, 'is', 3)).toEqual([])
  expect(matchesIn('aaaa', 'aa', 1)).toHaveLength(2)
})

test('blanks have no matches', () => {
  expect(matchesIn(page.text, '  ', 1)).toEqual([])
})

test('an offset maps to its text item', () => {
  expect([0, 7, 8, 14].map(position => pieceAt(page, position))).toEqual([0, 0, 1, 2])
})
