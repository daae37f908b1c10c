import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import type { Entry } from '../files/types.ts'
import { httpDate, presentItem, rfc3339 } from './serializers.ts'

describe('a time on the wire', () => {
  test.each([
    [Date.UTC(2022, 0, 2, 3, 4, 5), '2022-01-02T03:04:05Z'],
    [Date.UTC(2022, 0, 2, 3, 4, 5, 120), '2022-01-02T03:04:05.12Z'],
    [Date.UTC(2022, 0, 2, 3, 4, 5) + 0.25, '2022-01-02T03:04:05.00025Z'],
    [Date.UTC(2022, 0, 2, 3, 4, 5) + 999.9999, '2022-01-02T03:04:06Z'],
    [-1500, '1969-12-31T23:59:58.5Z'],
  ])('%d is %s', (milliseconds, text) => {
    expect(rfc3339(milliseconds)).toBe(text)
  })

  test.each([
    [Date.UTC(2022, 0, 2, 3, 4, 5, 999), 'Sun, 02 Jan 2022 03:04:05 GMT'],
    [-1500, 'Wed, 31 Dec 1969 23:59:58 GMT'],
    [Date.UTC(10_000, 0), 'Sat, 01 Jan 10000 00:00:00 GMT'],
  ])('%d is %s for HTTP', (milliseconds, text) => {
    expect(httpDate(milliseconds)).toBe(text)
  })

  test('a time beyond those of dates is the last or first one', () => {
    expect(rfc3339(9e15)).toBe('+275760-09-12T23:59:59Z')
    expect(rfc3339(-9e15)).toBe('-271821-04-21T00:00:00Z')
  })

  test('formats the same time alike, whatever was formatted before', () => {
    const time = fc.integer({ min: Date.UTC(0), max: Date.UTC(9999) })
    fc.assert(fc.property(time, milliseconds => Date.parse(rfc3339(milliseconds)) === milliseconds))
  })
})

describe('an entry on the wire', () => {
  const entry: Entry = {
    name: 'a.tar.gz',
    path: parsePath('/docs/a.tar.gz'),
    canonical: parsePath('/docs/a.tar.gz'),
    kind: 'file',
    isLink: false,
    size: 2,
    modified: 0,
    mode: 0o644,
    version: 'v',
    identity: 'i',
  }

  test('has the wire’s fields', () => {
    expect(presentItem(entry)).toEqual({
      path: '/docs/a.tar.gz',
      name: 'a.tar.gz',
      size: 2,
      extension: '.gz',
      modified: '1970-01-01T00:00:00Z',
      mode: 420,
      isDir: false,
      isSymlink: false,
      type: 'blob',
    })
  })

  test('carries the folder bit and no type for a folder', () => {
    expect(presentItem({ ...entry, kind: 'folder', mode: 0o755 })).toMatchObject({
      mode: 2147484141,
      type: '',
      isDir: true,
    })
  })

  test('is an invalid link when its target is missing or out of scope', () => {
    expect(presentItem({ ...entry, kind: 'link', isLink: true, mode: 0o777 })).toMatchObject({
      mode: 134218239,
      type: 'invalid_link',
      isDir: false,
      isSymlink: true,
    })
  })
})
