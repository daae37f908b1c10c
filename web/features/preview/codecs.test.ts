import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codecsIn, containerOf, unplayable } from './codecs.ts'

const corpus = (name: string) => readFileSync(`test/corpus/${name}`, 'latin1')
const names = (head: string) => codecsIn(head).map(({ name }) => name)

test.each([
  ['film.mp4', ['H.264', 'AAC']],
  ['hevc.mp4', ['HEVC (H.265)', 'AAC']],
  ['old.mkv', ['MPEG-4 Part 2', 'AC-3']],
  ['old.avi', ['MS MPEG-4']],
  ['song.m4a', ['AAC']],
  ['film.webm', ['VP8']],
  ['halves.png', []],
])('a file names its codecs: %s', (name, codecs) => {
  expect(names(corpus(name))).toEqual(codecs)
})

test.each([
  ['film.mp4', 'MP4'],
  ['film.webm', 'WebM'],
  ['old.mkv', 'Matroska (MKV)'],
  ['old.avi', 'AVI'],
  ['song.flac', 'FLAC'],
  ['song.opus', 'Ogg'],
  ['halves.png', undefined],
])('a file begins as its container does: %s', (name, container) => {
  expect(containerOf(corpus(name))).toBe(container)
})

test('reports the codecs that the browser does not play, and those that no browser plays', () => {
  const found = codecsIn(corpus('old.mkv') + corpus('film.mp4'))
  expect(unplayable(found, type => type.includes('avc1') || type.includes('mp4a'))).toEqual(['MPEG-4 Part 2', 'AC-3'])
  expect(unplayable(found, () => true)).toEqual(['MPEG-4 Part 2'])
})
