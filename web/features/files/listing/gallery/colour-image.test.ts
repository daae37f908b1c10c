import { expect, test } from 'vitest'
import { colourImage } from './colour-image.ts'

test('the colours of an image become a bitmap: the last row first, blue before red', () => {
  const rgb = Uint8Array.from({ length: 27 }, (_, at) => at)
  const [type, data = ''] = colourImage(btoa(String.fromCharCode(...rgb))).split(',')
  expect(type).toBe('data:image/bmp;base64')
  const bytes = Uint8Array.from(atob(data), char => char.charCodeAt(0))
  expect([...bytes.subarray(0, 2)]).toEqual([0x42, 0x4d])
  expect(bytes.length).toBe(26 + 3 * 12)
  expect([...bytes.subarray(26, 38)]).toEqual([20, 19, 18, 23, 22, 21, 26, 25, 24, 0, 0, 0])
  expect([...bytes.subarray(50, 62)]).toEqual([2, 1, 0, 5, 4, 3, 8, 7, 6, 0, 0, 0])
})
