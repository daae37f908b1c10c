import { expect, test } from 'vitest'
import { decodeText, withLineEnds } from './load-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text).buffer

test.each([
  ['a\nb\n', 'LF'],
  ['a', 'LF'],
  ['', 'LF'],
  ['a\r\nb\r\n', 'CRLF'],
  ['\r\n', 'CRLF'],
] as const)('%j is saved as it was loaded', (text, lineEnd) => {
  const loaded = decodeText(bytes(text))
  expect(loaded.lineEnd).toBe(lineEnd)
  expect(loaded.text).not.toContain('\r')
  expect(withLineEnds(loaded.text, loaded.lineEnd)).toBe(text)
})

test.each(['a\r\nb\nc', '\na\r\n', 'a\rb', 'a\r\n\r'])('%j has mixed line ends', text => {
  expect(decodeText(bytes(text)).lineEnd).toBe('mixed')
})

test('a byte order mark survives', () => {
  const { text, exact } = decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]).buffer)
  expect([...new TextEncoder().encode(text)]).toEqual([0xef, 0xbb, 0xbf, 0x61])
  expect(exact).toBe(true)
})

test('bytes that are not UTF-8 are told', () => {
  expect(decodeText(new Uint8Array([0x61, 0xe9, 0x62]).buffer).exact).toBe(false)
})
