import { expect, it } from 'vitest'
import { keptOf } from './keep.ts'

const files = [
  { path: '/deep/folder/a.txt', modified: '2020-01-01T00:00:00Z' },
  { path: '/b.txt', modified: '2021-01-01T00:00:00Z' },
  { path: '/c.txt', modified: '2022-01-01T00:00:00Z' },
]

it('keeps the oldest file of a group, or the one with the shortest path', () => {
  expect(keptOf({ files }, 'oldest')).toBe('/deep/folder/a.txt')
  expect(keptOf({ files }, 'shortest')).toBe('/b.txt')
})
