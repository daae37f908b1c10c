import { describe, expect, test } from 'vitest'
import { MAX_QUERY_LENGTH, MAX_QUERY_TERMS } from '../../../shared/search-limits.ts'
import { readSearchQuery } from '../../../shared/search-query.ts'
import { parseQuery } from './query.ts'

const NAMES = ['photo.png', 'Photo.JPG', 'song.mp3', 'clip.mp4', 'paper.pdf', 'paper.PDF', 'a b.txt', 'notes', 'case:x']
const found = (query: string) => NAMES.filter(parseQuery(query).matches)

describe('a search text', () => {
  test.each([
    ['photo', ['photo.png', 'Photo.JPG']],
    ['PHOTO', ['photo.png', 'Photo.JPG']],
    ['case:sensitive Photo', ['Photo.JPG']],
    ['Photo case:sensitive', ['Photo.JPG']],
    ['case:insensitive PHOTO', ['photo.png', 'Photo.JPG']],
    ['song clip', ['song.mp3', 'clip.mp4']],
    ['song  clip ', ['song.mp3', 'clip.mp4']],
    ['"a b"', ['a b.txt']],
    ['a b', ['paper.pdf', 'paper.PDF', 'a b.txt', 'case:x']],
    ['"song" clip', ['clip.mp4']],
    ['type:image', ['photo.png', 'Photo.JPG']],
    ['type:music', ['song.mp3']],
    ['type:audio', ['song.mp3']],
    ['type:video', ['clip.mp4']],
    ['type:pdf', ['paper.pdf']],
    ['type:PDF', ['paper.PDF']],
    ['type:image type:pdf', ['photo.png', 'Photo.JPG', 'paper.pdf']],
    ['type:image jpg', ['Photo.JPG']],
    ['jpg type:image', ['Photo.JPG']],
    ['type:constructor', []],
    ['case:x', ['case:x']],
    ['.*', []],
  ])('%j finds %j', (query, names) => {
    expect(found(query)).toEqual(names)
  })

  test.each(['', '   ', '""', 'case:sensitive', ' case:insensitive '])('%j finds everything', query => {
    expect(found(query)).toEqual(NAMES)
  })

  test.each(['"', '" "', 'type:', 'x'.repeat(MAX_QUERY_LENGTH)])('%j is understood', query => {
    expect(() => parseQuery(query)).not.toThrow()
  })

  test.each([
    ['content:fox', ['fox'], []],
    ['content:Fox "a b"', ['fox'], ['a b']],
    ['content:"Two words" name', ['two words'], ['name']],
    ['case:sensitive content:Fox content:"a B"', ['Fox', 'a B'], []],
    ['content:"type:image case:sensitive" A', ['type:image case:sensitive'], ['a']],
    ['content:"not closed', ['not closed'], []],
    ['mycontent:fox', undefined, ['mycontent:fox']],
    ['content:', undefined, ['content:']],
  ])('%j searches for %j in files', (query, texts, words) => {
    const parsed = parseQuery(query)
    expect(parsed.contents?.texts).toEqual(texts)
    expect(parsed.words).toEqual(words)
  })

  test.each([
    ['size:>10MB', '{"from":10485761}'],
    ['size:<2k', '{"to":2048}'],
    ['size:1.5KiB..2MB', '{"from":1536,"to":2097153}'],
    ['size:..100', '{"to":101}'],
    ['size:5..', '{"from":5}'],
    ['modified:week', '{"from":395200000}'],
    ['modified:2026-03-31', '{"from":1774915200000,"to":1775001600000}'],
    ['modified:2026-03-01..2026-03-31', '{"from":1772323200000,"to":1775001600000}'],
    ['modified:2026-03-01T23:00:00Z..2026-03-02T23:00:00Z', '{"from":1772406000000,"to":1772492400000}'],
    ['modified:..2026-03-31', '{"to":1775001600000}'],
  ])('%j restricts to %s', (query, range) => {
    const { sizes, times, words } = readSearchQuery(query, 1_000_000_000)
    expect([...sizes, ...times].map(each => JSON.stringify(each))).toEqual([range])
    expect(words).toEqual([])
  })

  test.each([
    'size:',
    'size:10',
    'size:>x',
    'size:..',
    'modified:soon',
    'modified:2026-13-01',
    'modified:..',
    'mysize:>1',
  ])('%j is a word like any other', query => {
    expect(readSearchQuery(query)).toMatchObject({ sizes: [], times: [], words: [query] })
  })

  test.each([
    ['tag:Urgent plan', ['urgent'], ['plan']],
    ['tag:"Two Words" tag:b', ['two words', 'b'], []],
    ['tag:', [], ['tag:']],
  ])('%j is for items with the tags %j', (query, tags, words) => {
    expect(parseQuery(query)).toMatchObject({ tags, words })
  })

  test('enforces its limits', () => {
    expect(() => parseQuery('x'.repeat(MAX_QUERY_LENGTH + 1))).toThrow('longer')
    expect(() => parseQuery('x '.repeat(MAX_QUERY_TERMS))).not.toThrow()
    expect(() => parseQuery('x '.repeat(MAX_QUERY_TERMS + 1))).toThrow('words')
    expect(() => parseQuery('type:x '.repeat(MAX_QUERY_TERMS + 1))).toThrow('words')
    expect(() => parseQuery('content:x '.repeat(MAX_QUERY_TERMS + 1))).toThrow('words')
  })

  test('REDOS-03 is parsed quickly, whatever it contains', () => {
    const began = process.cpuUsage()
    for (const part of [
      'type:',
      'case:',
      'content:',
      'content:"',
      'size:',
      'size:1..',
      'tag:',
      'tag:"',
      'modified:2026-',
      '"',
      'case:case:sensitivesensitive',
      ' ',
    ]) {
      const query = part.repeat(MAX_QUERY_LENGTH / part.length)
      for (let round = 0; round < 100; round++) parseQuery(query.slice(0, MAX_QUERY_TERMS * 5)).matches('a'.repeat(255))
    }
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(500)
  })
})
