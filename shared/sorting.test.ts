import { describe, expect, test } from 'vitest'
import { compareNames, type Sortable, type Sorting, sortItems } from './sorting.ts'

const file = (name: string, size = 0, modified = 0): Sortable => ({ name, size, modified, isDir: false })
const folder = (name: string, modified = 0): Sortable => ({ name, size: 4096, modified, isDir: true })
const names = (items: Sortable[], by: Sorting['by'], asc: boolean) => sortItems(items, { by, asc }).map(i => i.name)

describe('a listing by name', () => {
  test('runs from A to Z when the flag is down, folders first', () => {
    expect(names([file('b'), file('A'), folder('z'), folder('y')], 'name', false)).toEqual(['y', 'z', 'A', 'b'])
  })

  test('runs from Z to A when the flag is up, folders still first', () => {
    expect(names([file('b'), file('A'), folder('z'), folder('y')], 'name', true)).toEqual(['z', 'y', 'b', 'A'])
  })

  test('compares numbers by their value', () => {
    expect(names([file('img10'), file('img2'), file('img1')], 'name', false)).toEqual(['img1', 'img2', 'img10'])
    expect(names([file('v1.10.0'), file('v1.9.12')], 'name', false)).toEqual(['v1.9.12', 'v1.10.0'])
  })

  test('has a fixed order even for names that differ only in case', () => {
    expect(names([file('a'), file('A')], 'name', false)).toEqual(names([file('A'), file('a')], 'name', false))
  })
})

describe('a listing by size', () => {
  test('shows the largest first and folders last when the flag is down', () => {
    expect(names([folder('d'), file('s', 1), file('l', 9)], 'size', false)).toEqual(['l', 's', 'd'])
  })

  test('shows folders first and then the smallest when the flag is up', () => {
    expect(names([file('l', 9), folder('d'), file('s', 1)], 'size', true)).toEqual(['d', 's', 'l'])
  })
})

describe('a listing by size that knows the sizes of folders', () => {
  const bytes: Record<string, number> = { big: 90, small: 2, file: 9 }
  const items = [folder('unknown b'), folder('small'), file('file', 9), folder('Unknown a'), folder('big')]
  const sorted = (asc: boolean) =>
    sortItems(items, { by: 'size', asc }, ({ name }) => bytes[name] ?? Number.NaN).map(({ name }) => name)

  test('has the largest folder or file at the top when the flag is down', () => {
    expect(sorted(false)).toEqual(['big', 'file', 'small', 'Unknown a', 'unknown b'])
  })

  test('has the smallest at the top when the flag is up, folders of unknown size still last, by name', () => {
    expect(sorted(true)).toEqual(['small', 'file', 'big', 'Unknown a', 'unknown b'])
  })
})

describe('a listing by kind', () => {
  const items = [file('b.txt'), file('a.TXT'), folder('z.txt'), file('c.jpg'), file('noext'), folder('a')]

  test('has folders first by name, then files by their extensions, and those by name', () => {
    expect(names(items, 'kind', true)).toEqual(['a', 'z.txt', 'noext', 'c.jpg', 'a.TXT', 'b.txt'])
    expect(names(items, 'kind', false)).toEqual(['a', 'z.txt', 'a.TXT', 'b.txt', 'c.jpg', 'noext'])
  })

  test('goes by another key first, where there is one', () => {
    const rank = ({ name }: Sortable) => (name === 'c.jpg' ? 2 : 1)
    const sorted = sortItems(items, { by: 'kind', asc: true }, rank)
    expect(sorted.map(({ name }) => name).slice(2)).toEqual(['noext', 'a.TXT', 'b.txt', 'c.jpg'])
  })
})

describe('a listing by time', () => {
  test('shows the newest first when the flag is down, folders among the files', () => {
    expect(names([file('old', 0, 1), folder('new', 3), file('mid', 0, 2)], 'modified', false)).toEqual([
      'new',
      'mid',
      'old',
    ])
  })

  test('accepts times as numbers and as text', () => {
    const early = { ...file('early'), modified: '2022-01-01T00:00:00Z' }
    const late = { ...file('late'), modified: '2023-01-01T00:00:00Z' }
    expect(names([late, early], 'modified', true)).toEqual(['early', 'late'])
  })
})

test('names compare in the natural order, without regard to case first', () => {
  expect(['b.txt', 'img10', 'Img2', 'a/z', 'A'].toSorted(compareNames)).toEqual(['A', 'a/z', 'b.txt', 'Img2', 'img10'])
})
