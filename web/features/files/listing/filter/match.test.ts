import { expect, test } from 'vitest'
import { matching } from './match.ts'

const names = (text: string) =>
  matching([{ name: 'Über.TXT' }, { name: 'cafe\u0301.md' }, { name: 'other' }], text).map(item => item.name)

test('names are found by a part of them, whatever the case and the way accents are written', () => {
  expect(names('üb')).toEqual(['Über.TXT'])
  expect(names('caf\u00e9')).toEqual(['cafe\u0301.md'])
  expect(names(' txt ')).toEqual(['Über.TXT'])
})

test('without a text all are there, the same list', () => {
  const items = [{ name: 'a' }]
  expect(matching(items, '  ')).toBe(items)
  expect(matching(items, undefined)).toBe(items)
})
