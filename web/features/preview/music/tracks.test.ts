import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { clockOf, trackAfter, tracksIn } from './tracks.ts'

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
  const tracks = tracksIn(rows)
  const around = (track: ResourceItem) => [
    trackAfter({ track, tracks }, -1)?.name,
    trackAfter({ track, tracks }, 1)?.name,
  ]
  expect(tracks.map(around)).toEqual([
    [undefined, 'two.mp3'],
    ['one.mp3', undefined],
  ])
  expect(around(item('gone.mp3', 'audio'))).toEqual([undefined, undefined])
})

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3600, '1:00:00'],
  [36_061, '10:01:01'],
  [Number.NaN, '–:––'],
  [Number.POSITIVE_INFINITY, '–:––'],
])('%d seconds are shown as %s', (seconds, text) => expect(clockOf(seconds)).toBe(text))
