import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { clockOf, followChanges, shuffled, trackAfter, tracksIn } from './tracks.ts'

const item = (name: string, type: ResourceItem['type'], isDir = false) =>
  ({ path: `/${name}`, name, type, isDir }) as ResourceItem

const rows = [
  item('one.mp3', 'audio'),
  item('cover.jpg', 'image'),
  item('two.mp3', 'audio'),
  item('live', 'audio', true),
]

test('the tracks of a folder are its audio files, in the order of the listing', () => {
  expect(tracksIn(rows).map(({ name }) => name)).toEqual(['one.mp3', 'two.mp3'])
})

test('the ends of a folder have no track before or after them, nor does a file that has left it', () => {
  const queue = tracksIn(rows)
  const around = (track: ResourceItem) => [
    trackAfter({ track, queue }, -1)?.name,
    trackAfter({ track, queue }, 1)?.name,
  ]
  expect(queue.map(around)).toEqual([
    [undefined, 'two.mp3'],
    ['one.mp3', undefined],
  ])
  expect(around(item('gone.mp3', 'audio'))).toEqual([undefined, undefined])
})

const five = ['a', 'b', 'c', 'd', 'e'].map(name => item(`${name}.mp3`, 'audio'))
const names = (tracks: readonly ResourceItem[]) => tracks.map(({ name }) => name[0]).join('')
const [first, , , , last] = five as [ResourceItem, ResourceItem, ResourceItem, ResourceItem, ResourceItem]

test('the ends of a queue that is repeated meet', () => {
  expect(trackAfter({ track: last, queue: five }, 1, true)).toBe(first)
  expect(trackAfter({ track: first, queue: five }, -1, true)).toBe(last)
})

test('a random order begins with the current track and has every other one once', () => {
  const order = shuffled(five, last, () => 0)
  expect(names(order)).toBe('ebcda')
  expect(names(shuffled(five, last)).split('').sort().join('')).toBe('abcde')
})

test('a queue keeps its order when files come and go', () => {
  const queue = shuffled(five, last, () => 0)
  expect(names(followChanges(queue, [...five.slice(1), item('f.mp3', 'audio')]))).toBe('ebcdf')
})

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3600, '1:00:00'],
  [36_061, '10:01:01'],
  [Number.NaN, '–:––'],
  [Number.POSITIVE_INFINITY, '–:––'],
])('%d seconds are shown as %s', (seconds, text) => expect(clockOf(seconds)).toBe(text))
