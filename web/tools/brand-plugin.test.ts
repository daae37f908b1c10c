import { expect, test } from 'vitest'
import { icoOf } from './brand-plugin.ts'

/** A PNG header, which holds the size. */
function image(width: number, length: number): Buffer {
  const bytes = Buffer.alloc(length, width)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(width, 20)
  return bytes
}

test('an icon contains each of its images', () => {
  const images = [image(16, 40), image(256, 70)]
  const icon = icoOf(images)
  expect([icon.readUInt16LE(0), icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([0, 1, 2])
  const entries = [6, 22].map(at => ({
    width: icon.readUInt8(at),
    bytes: icon.subarray(icon.readUInt32LE(at + 12)).subarray(0, icon.readUInt32LE(at + 8)),
  }))
  // A width of 256 is written as 0.
  expect(entries).toEqual([
    { width: 16, bytes: images[0] },
    { width: 0, bytes: images[1] },
  ])
})
