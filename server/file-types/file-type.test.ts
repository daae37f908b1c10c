import { describe, expect, test } from 'vitest'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import { kindByContent, kindByName, mimeByContent, mimeOf } from './file-type.ts'
import { looksLikeText, SNIFF_BYTES } from './text-detection.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the kind of a file', () => {
  test.each([
    ['a.JPG', 'image'],
    ['a.svg', 'image'],
    ['a.mp4', 'video'],
    ['a.mkv', 'video'],
    ['a.mp3', 'audio'],
    ['a.flac', 'audio'],
    ['a.pdf', 'pdf'],
    ['a.ts', 'text'],
    ['a.json', 'text'],
    ['a.md', 'text'],
    ['a.zip', 'blob'],
    ['README', 'blob'],
  ])('%s is %s by its name', (name, kind) => {
    expect(kindByName(name, 10)).toBe(kind)
  })

  test('is not determined by a name without a dot', () => {
    expect(kindByName('png', 10)).toBe('blob')
    expect(mimeOf('html')).toBe('application/octet-stream')
  })

  test.each([
    ['\x89PNG\r\n\x1a\n', 'image', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image', 'image/webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'audio', 'audio/wav'],
    ['ID3\x04\0', 'audio', 'audio/mpeg'],
    ['\0\0\0\x18ftypmp42', 'video', 'video/mp4'],
    ['\x1a\x45\xdf\xa3', 'video', 'video/webm'],
    ['%PDF-1.7', 'pdf', 'application/pdf'],
    ['ID3 is what MP3 files begin with', 'text', 'text/plain'],
    ['BMW is a maker of cars', 'text', 'text/plain'],
    ['<html><script>', 'text', 'text/plain'],
    ['\0\0\0\0', 'blob', 'application/octet-stream'],
  ])('of an unknown extension is determined by the first bytes: %j is %s', (head, kind, type) => {
    const first = Buffer.from(head, 'latin1')
    expect(kindByContent('nameless', 100, first)).toBe(kind)
    expect(mimeByContent(first)).toBe(type)
  })

  test('of a known extension is not determined by the first bytes, except for text', () => {
    expect(kindByContent('a.zip', 100, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toBe('blob')
    expect(kindByContent('a.zip', 100, bytes('no archive'))).toBe('text')
  })

  test('is blob for text beyond the limit', () => {
    expect(kindByName('a.txt', MAX_TEXT_BYTES)).toBe('text')
    expect(kindByName('a.txt', MAX_TEXT_BYTES + 1)).toBe('blob')
  })

  test('is text by content when the extension is unknown', () => {
    expect(kindByContent('README', 5, bytes('hello'))).toBe('text')
    expect(kindByContent('README', 5, Uint8Array.of(0, 1, 2))).toBe('blob')
    expect(kindByContent('empty', 0, Uint8Array.of())).toBe('text')
  })
})

describe('text', () => {
  test('may be cut in the middle of a character only at the end of the sample', () => {
    const torn = bytes(`${'a'.repeat(SNIFF_BYTES - 1)}界`).slice(0, SNIFF_BYTES)
    expect(looksLikeText(torn)).toBe(true)
    expect(looksLikeText(Uint8Array.of(0xe7, 0x95))).toBe(false)
    expect(looksLikeText(Uint8Array.of(0x61, 0xff, 0x61))).toBe(false)
  })

  test('has no control characters up to 8', () => {
    expect(looksLikeText(bytes('a\tb\r\n'))).toBe(true)
    expect(looksLikeText(Uint8Array.of(0x61, 8))).toBe(false)
  })
})
