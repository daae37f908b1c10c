import { describe, expect, test } from 'vitest'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import { kindByContent, kindByName, looksLikeText, SNIFF_BYTES } from './kind.ts'

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

  test('is blob for text beyond the limit', () => {
    expect(kindByName('a.txt', MAX_TEXT_BYTES)).toBe('text')
    expect(kindByName('a.txt', MAX_TEXT_BYTES + 1)).toBe('blob')
  })

  test('is text by content when the name says nothing', () => {
    expect(kindByContent('README', 5, bytes('hello'))).toBe('text')
    expect(kindByContent('README', 5, Uint8Array.of(0, 1, 2))).toBe('blob')
    expect(kindByContent('empty', 0, Uint8Array.of())).toBe('text')
  })
})

describe('text', () => {
  test('may be torn in the middle of a character at the end of the sample only', () => {
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
