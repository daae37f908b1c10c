import { expect, test } from 'vitest'
import { RecentMap } from './recent-map.ts'

test('a new entry takes the place of the one that was used least recently, not of the oldest one', () => {
  const map = new RecentMap<string, number>(3)
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  expect(map.get('a')).toBe(0)
  map.set('d', 3)
  expect(['a', 'b', 'c', 'd'].map(key => map.get(key))).toEqual([0, undefined, 2, 3])
})

test('an entry that is set again keeps its place in the number of entries', () => {
  const map = new RecentMap<string, number>(2)
  for (const value of [1, 2, 3]) map.set('a', value)
  map.set('b', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, 4, undefined])
})
