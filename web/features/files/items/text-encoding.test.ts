import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, ENCODINGS, EncodingError, encodeText } from './text-encoding.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const asItWas = (bytes: Uint8Array) => {
  const decoded = decodeText(bytes)
  return encodeText(decoded.text, decoded)
}

test.each([
  ['a\nb\n', 'LF', 'a\nb\n'],
  ['a', 'LF', 'a'],
  ['', 'LF', ''],
  ['a\r\nb\r\n', 'CRLF', 'a\nb\n'],
  ['\r\n', 'CRLF', '\n'],
  ['a\rb', 'CR', 'a\nb'],
  ['a\r\nb\nc', 'mixed', 'a\r\nb\nc'],
  ['\na\r\n', 'mixed', '\na\r\n'],
  ['a\r\n\r', 'mixed', 'a\r\n\r'],
] as const)('%j has line ends %s and is saved as it was loaded', (text, lineEnd, lines) => {
  const loaded = decodeText(utf8(text))
  expect(loaded).toMatchObject({ lineEnd, text: lines, exact: true })
  expect(asItWas(utf8(text))).toEqual(utf8(text))
})

test.each([
  ['UTF-8', [0x61, 0xc3, 0xa9], 'aé'],
  ['UTF-8 BOM', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ['UTF-16 LE', [0xff, 0xfe, 0x61, 0x00, 0x0d, 0x00, 0x0a, 0x00], 'a\n'],
  ['UTF-16 BE', [0xfe, 0xff, 0x00, 0x61, 0x20, 0xac], 'a€'],
  ['Windows-1252', [0x63, 0x61, 0x66, 0xe9, 0x80], 'café€'],
] as const)('a text in %s is read, and its bytes stay', (encoding, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toMatchObject({ encoding, text, exact: true })
  expect([...asItWas(Uint8Array.from(bytes))]).toEqual(bytes)
})

test('text decoded exactly is encoded byte for byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
      if (decodeText(bytes).exact) expect(asItWas(bytes)).toEqual(bytes)
    }),
  )
})

test('every text survives every Unicode encoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...ENCODINGS.slice(1, 4)), (text, encoding) => {
      fc.pre(!text.includes('\r') && !text.includes('\0'))
      expect(decodeText(encodeText(text, { encoding, lineEnd: 'LF' }))).toMatchObject({ text, encoding, exact: true })
    }),
  )
})

test('binary data is detected', () => {
  expect(decodeText(Uint8Array.from([0x61, 0, 0x62])).exact).toBe(false)
  expect(decodeText(Uint8Array.from([0xff, 0xfe, 0x61])).exact).toBe(false)
})

test('a character torn at a cut is left out', () => {
  expect(decodeText(Uint8Array.from([0x61, 0xc3]), true)).toMatchObject({ text: 'a', encoding: 'UTF-8' })
})

test.each([
  ['Windows-1252', 'Ω'],
  ['UTF-8', '\ud800'],
] as const)('%s refuses what it cannot write', (encoding, text) => {
  expect(() => encodeText(text, { encoding, lineEnd: 'LF' })).toThrow(EncodingError)
})
