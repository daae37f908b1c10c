import { expect, test } from 'vitest'
import { ARCHIVE_FORMATS, archiveUrl } from './archive.ts'

const [zip] = ARCHIVE_FORMATS

test("names with commas and percent signs survive the server's decoding", () => {
  const url = new URL(archiveUrl('/a b', ['1,5 %.txt', 'ü.txt'], zip) ?? '', 'http://localhost')
  expect(decodeURIComponent(url.pathname)).toBe('/api/raw/a b/')
  expect(url.searchParams.get('files')?.split(',').map(decodeURIComponent)).toEqual(['1,5 %.txt', 'ü.txt'])
  expect(url.searchParams.get('algo')).toBe('zip')
})

test('the whole folder is requested without names', () => {
  expect(archiveUrl('/', [], zip)).toBe('/api/raw/?algo=zip')
})

test('names too long for a URL give undefined', () => {
  const names = Array.from({ length: 2000 }, (_, index) => `file ${index}`)
  expect(archiveUrl('/', names, zip)).toBeUndefined()
})
