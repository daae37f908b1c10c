import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  childOf,
  encodePath,
  endsWithSlash,
  extensionOf,
  type FilePath,
  isWithin,
  joinPath,
  nameOf,
  PathError,
  parentOf,
  parseEncodedPath,
  parsePath,
  ROOT,
} from './path.ts'

const HOSTILE_NAMES = [
  '100%',
  'a%2Fb',
  'a#b',
  'a?b',
  'a+b',
  '[x]{y}',
  'back\\slash',
  'caf\u00e9',
  'cafe\u0301',
  '📁 emoji',
  ' leading',
  'trailing ',
  '%zz',
  '*',
  '.hidden',
  'semi;colon',
  'amp&ersand',
  'a=b',
  'a:b',
  'quote"quote',
  "apos'trophe",
  'line\nbreak',
  'tab\there',
  '...',
  '..a',
  'con',
  '-rf',
  '$HOME',
  '\u202Ertl',
  'x'.repeat(255),
  '界'.repeat(85),
  '__proto__',
  'caf\udce9',
  '\udcff'.repeat(255),
]

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter(text => text !== '.' && text !== '..' && !/[/\0]/.test(text) && new TextEncoder().encode(text).length <= 255)

describe('a path', () => {
  test('survives encoding and decoding, whatever legal names it has', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.constantFrom(...HOSTILE_NAMES)), { maxLength: 6 }), names => {
        const path = parsePath(`/${names.join('/')}`)
        expect(parseEncodedPath(encodePath(path))).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(HOSTILE_NAMES)('keeps the bytes of the name %j', hostile => {
    const path = childOf(ROOT, hostile)
    expect(nameOf(parseEncodedPath(encodePath(path)))).toBe(hostile)
  })

  test('has one spelling: the missing leading slash and one trailing slash make no difference', () => {
    expect(parsePath('a/b')).toBe('/a/b')
    expect(parsePath('/a/b/')).toBe('/a/b')
    expect(parsePath('')).toBe(ROOT)
    expect(parsePath('/')).toBe(ROOT)
  })

  test('treats an encoded slash as a separator', () => {
    expect(parseEncodedPath('/a%2Fb')).toBe('/a/b')
    expect(endsWithSlash('/a%2f')).toBe(true)
  })

  test.each([
    ['/..', 'dot-segment'],
    ['/a/../b', 'dot-segment'],
    ['/./a', 'dot-segment'],
    ['/%2e%2e/a', 'dot-segment'],
    ['/.%2E/a', 'dot-segment'],
    ['/a//b', 'empty-segment'],
    ['//', 'empty-segment'],
    ['//a', 'empty-segment'],
    ['/a%2F%2Fb', 'empty-segment'],
    ['/a%00b', 'nul'],
    ['/%', 'malformed'],
    ['/%zz', 'malformed'],
    ['/\ud800', 'malformed'],
    ['/\udcc3\udca9', 'malformed'],
    [`/${'%ff'.repeat(256)}`, 'name-too-long'],
    [`/${'x'.repeat(256)}`, 'name-too-long'],
    [`/${'%E7%95%8C'.repeat(86)}`, 'name-too-long'],
    [`/${'abcdefgh/'.repeat(500)}`, 'path-too-long'],
  ])('is refused as %j because of %s', (encoded, problem) => {
    const refused = () => parseEncodedPath(encoded)
    expect(refused).toThrow(PathError)
    expect(refused).toThrow(problem)
  })

  test.each([
    ['/..%c0%af', '/..\udcc0\udcaf'],
    ['/%c0%ae%c0%ae', '/\udcc0\udcae\udcc0\udcae'],
    ['/%ed%a0%80', '/\udced\udca0\udc80'],
    ['/caf%E9/x', '/caf\udce9/x'],
  ])('treats bytes that are not UTF-8 as bytes: %s', (encoded, path) => {
    expect(parseEncodedPath(encoded)).toBe(path)
    expect(encodePath(path).toUpperCase()).toBe(encoded.toUpperCase())
  })

  test('never climbs, in any spelling', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('.', '/', '%2e', '%2F', '\\', 'a', '%00', '%', '%c0', '%ae', '%af') }),
        encoded => {
          try {
            const path = parseEncodedPath(encoded)
            expect(
              path
                .split('/')
                .slice(1)
                .every(part => part !== '.' && part !== '..'),
            ).toBe(true)
            expect(path).not.toContain('\0')
          } catch (error) {
            expect(error).toBeInstanceOf(PathError)
          }
        },
      ),
      { numRuns: 5000 },
    )
  })
})

describe('relations of paths', () => {
  test('a folder contains the paths below it, not those with the same beginning', () => {
    expect(isWithin('/docs/a' as FilePath, '/docs' as FilePath)).toBe(true)
    expect(isWithin('/docs' as FilePath, '/docs' as FilePath)).toBe(true)
    expect(isWithin('/docs-2/a' as FilePath, '/docs' as FilePath)).toBe(false)
    expect(isWithin('/anything' as FilePath, ROOT)).toBe(true)
  })

  test('the root is its own parent and has no name', () => {
    expect(parentOf(ROOT)).toBe(ROOT)
    expect(parentOf('/a' as FilePath)).toBe(ROOT)
    expect(nameOf(ROOT)).toBe('')
  })

  test('a path in a scope is resolved in the root', () => {
    expect(joinPath('/users/a' as FilePath, '/x' as FilePath)).toBe('/users/a/x')
    expect(joinPath(ROOT, '/x' as FilePath)).toBe('/x')
    expect(joinPath('/users/a' as FilePath, ROOT)).toBe('/users/a')
  })

  test.each([
    ['a.tar.gz', '.gz'],
    ['.bashrc', '.bashrc'],
    ['a.', '.'],
    ['README', ''],
    ['A.TXT', '.TXT'],
  ])('the extension of %s is %j', (file, extension) => {
    expect(extensionOf(file)).toBe(extension)
  })
})
