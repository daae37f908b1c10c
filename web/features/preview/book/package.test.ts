import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { unpack } from '../document/zip.ts'
import { readPackage, resolve } from './package.ts'

const MADE = unpack(readFileSync('test/corpus/documents/book.epub'))

test('a book has its chapters, headings and language', () => {
  const book = readPackage(MADE)
  expect(book.language).toBe('en')
  expect(book.chapters.length).toBeGreaterThan(1)
  expect(book.headings.map(({ title, level }) => [title, level])).toEqual([
    ['A first chapter', 0],
    ['A second chapter', 0],
    ['A section of it', 1],
  ])
  expect(book.chapters.map(({ file }) => file)).toContain(book.headings[1]?.target.split('#')[0])
})

test('the older table of contents (NCX) is read, too', () => {
  const { 'EPUB/nav.xhtml': _nav, ...parts } = MADE
  expect(readPackage(parts).headings.map(({ title }) => title)).toContain('A section of it')
})

test('DRM is distinguished from obfuscated fonts', () => {
  const locked = (algorithm: string) => ({
    ...MADE,
    'META-INF/encryption.xml': strToU8(`<encryption><enc:EncryptionMethod Algorithm="${algorithm}"/></encryption>`),
  })
  expect(() => readPackage(locked('http://www.w3.org/2001/04/xmlenc#aes128-cbc'))).toThrow('encrypted')
  expect(readPackage(locked('http://www.idpf.org/2008/embedding')).chapters).not.toEqual([])
})

test('an archive that is not a book is reported as damaged', () => {
  expect(() => readPackage(unpack(zipSync({ 'a.txt': strToU8('a') })))).toThrow('damaged')
})

test.each([
  ['ch 2.xhtml#a%20b', 'OEBPS/text/ch1.xhtml', 'OEBPS/text/ch 2.xhtml#a b'],
  ['../img/a.png', 'OEBPS/text/ch1.xhtml', 'OEBPS/img/a.png'],
  ['../../../../x', 'OEBPS/a.xhtml', 'x'],
  ['https://example.org/a', 'a.xhtml', ''],
  ['100%', 'a.xhtml', '100%'],
])('%s relative to %s is %s', (link, from, file) => {
  expect(resolve(link, from)).toBe(file)
})
