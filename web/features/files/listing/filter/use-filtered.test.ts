// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { matching } from './use-filtered.ts'

const names = (text: string) =>
  matching([{ name: 'Über.TXT' }, { name: 'cafe\u0301.md' }, { name: 'other' }], text).map(item => item.name)

test('names match by substring, ignoring case and the Unicode form of accents', () => {
  expect(names('üb')).toEqual(['Über.TXT'])
  expect(names('caf\u00e9')).toEqual(['cafe\u0301.md'])
  expect(names(' txt ')).toEqual(['Über.TXT'])
})

test('without a text the same list is returned', () => {
  const items = [{ name: 'a' }]
  expect(matching(items, '  ')).toBe(items)
  expect(matching(items, undefined)).toBe(items)
})
