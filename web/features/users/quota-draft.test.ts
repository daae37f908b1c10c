import { expect, test } from 'vitest'
import { bytesOf, itemsDraftOf, itemsOf, quotaDraftOf } from './quota-draft.ts'

test('a quota keeps its bytes, in the largest unit in which it has few digits', () => {
  for (const own of [null, -1, 0, 1, 1000, 1024 ** 2, 10 * 1024 ** 3, 1.5 * 1024 ** 4, 5e9, 10e9, 4_999_999_999])
    expect(bytesOf(quotaDraftOf(own))).toBe(own)
  const shown = [10 * 1024 ** 3, 1.5 * 1024 ** 4, 5e9, 1000].map(quotaDraftOf)
  expect(shown.map(({ size, unit }) => `${size} ${unit}`)).toEqual(['10 GiB', '1.5 TiB', '5 GB', '1 KB'])
})

test('a size may have a comma, and what is no number is none', () => {
  const of = (size: string) => bytesOf({ kind: 'limited', size, unit: 'MiB' })
  expect([' 1,5 ', '0', '', 'x', '-1', '1e3', '9e99'].map(of)).toEqual([
    ...[1.5 * 1024 ** 2, 0, undefined, undefined, undefined, undefined, undefined],
  ])
})

test('a number of files and folders is whole, and stays what it is', () => {
  for (const own of [null, -1, 0, 1, 100_000]) expect(itemsOf(itemsDraftOf(own))).toBe(own)
  const of = (number: string) => itemsOf({ kind: 'limited', number })
  expect([' 12 ', '', 'x', '-1', '1.5', '1e3', '99999999999999999999'].map(of)).toEqual([
    ...[12, undefined, undefined, undefined, undefined, undefined, undefined],
  ])
})
