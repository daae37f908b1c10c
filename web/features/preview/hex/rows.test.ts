import { expect, test } from 'vitest'
import { bytesPerRow, hexText, letters, offsetText, parseOffset } from './rows.ts'

const row = [...new TextEncoder().encode('Hi\n~é'), undefined, 255]

test('a row shows its bytes as digits and as characters', () => {
  expect(hexText(row)).toBe('48 69 0a 7e  c3 a9    ff')
  expect(letters(row)).toBe('Hi·~·· ·')
})

test('offsets have as many digits as the file needs', () => {
  expect(offsetText(16, 100)).toBe('00000010')
  expect(offsetText(16, 2 ** 40)).toBe('0000000010')
})

test.each([
  ['1f0', 0x1f0],
  [' 0X1F0 ', 0x1f0],
  ['', undefined],
  ['xyz', undefined],
])('%j is the offset %s', (text, offset) => {
  expect(parseOffset(text)).toBe(offset)
})

test('a narrow row holds fewer bytes', () => {
  expect([320, 390, 1280].map(bytesPerRow)).toEqual([4, 8, 16])
})
