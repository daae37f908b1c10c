import { describe, expect, test } from 'vitest'
import { scale } from '../resize.ts'
import { inspect } from '../test-pictures.ts'
import { BIG, openBytes } from '../test-sources.ts'
import { open } from './bmp.ts'
import { TooLarge } from './decoder.ts'

interface Made {
  bits: number
  /** The pixels of one row: left half, right half. */
  row: Buffer
  width: number
  height: number
  compression?: number
  /** Masks or palette, after the header. */
  extra?: Buffer
  header?: number
}

/** A bitmap of equal rows; a negative height means rows from top to bottom. */
function bitmap({ bits, row, width, height, compression = 0, extra = Buffer.alloc(0), header = 40 }: Made): Buffer {
  const stride = Math.ceil(row.length / 4) * 4
  const rows = Buffer.concat(Array.from({ length: Math.abs(height) }, () => Buffer.concat([row], stride)))
  const head = Buffer.alloc(14 + header)
  head.write('BM')
  head.writeUInt32LE(head.length + extra.length, 10)
  head.writeUInt32LE(header, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(bits, 28)
  head.writeUInt32LE(compression, 30)
  return Buffer.concat([head, extra, rows])
}

const SIZE = { width: 40, height: 20 }
const half = (pixel: Buffer) => Array.from({ length: SIZE.width / 2 }, () => pixel)
const rowOf = (left: string, right: string) =>
  Buffer.concat([...half(Buffer.from(left, 'hex')), ...half(Buffer.from(right, 'hex'))])
/** Black, red, blue. */
const PALETTE = Buffer.concat([Buffer.from('000000000000ff00ff000000', 'hex')], 1024)
const RGB565 = Buffer.from('00f80000e00700001f000000', 'hex')

async function cornersOf(source: Buffer): Promise<string[]> {
  const answer = await scale(await openBytes(open, source), BIG)
  if (answer.kind !== 'picture') throw new Error(answer.kind)
  const { corners, ...rest } = await inspect(answer.bytes)
  expect(rest).toEqual({ format: 'webp', ...SIZE })
  return corners
}

describe('a bitmap', () => {
  const kinds: [string, Made][] = [
    ['24 bits', { ...SIZE, bits: 24, row: rowOf('0000ff', 'ff0000') }],
    ['32 bits', { ...SIZE, bits: 32, row: rowOf('0000ff00', 'ff000000') }],
    ['16 bits', { ...SIZE, bits: 16, row: rowOf('007c', '1f00') }],
    ['16 bits and masks', { ...SIZE, bits: 16, row: rowOf('00f8', '1f00'), compression: 3, extra: RGB565 }],
    ['8 bits', { ...SIZE, bits: 8, row: rowOf('01', '02'), extra: PALETTE }],
    [
      '4 bits',
      {
        ...SIZE,
        bits: 4,
        row: Buffer.alloc(20, '1'.repeat(20) + '2'.repeat(20), 'hex'),
        extra: PALETTE.subarray(0, 64),
      },
    ],
    ['rows from top to bottom', { ...SIZE, bits: 24, row: rowOf('0000ff', 'ff0000'), height: -20 }],
  ]
  test.each(kinds)('of %s is decoded', async (_name, made) => {
    expect(await cornersOf(bitmap(made))).toEqual(['red', 'blue', 'red', 'blue'])
  })

  test('with one bit per pixel is decoded', async () => {
    const row = Buffer.from('fffff00000', 'hex')
    const extra = Buffer.from('ff0000000000ff00', 'hex')
    expect(await cornersOf(bitmap({ ...SIZE, bits: 1, row, extra }))).toEqual(['red', 'blue', 'red', 'blue'])
  })

  test('is the right way up', async () => {
    const [red, blue] = [rowOf('0000ff', '0000ff'), rowOf('ff0000', 'ff0000')]
    const made = bitmap({ ...SIZE, bits: 24, row: blue })
    for (let row = 10; row < 20; row++) red.copy(made, 54 + row * red.length)
    expect(await cornersOf(made)).toEqual(['red', 'red', 'blue', 'blue'])
  })

  test('that claims to be enormous is too large', async () => {
    const head = bitmap({ width: 65_535, height: 65_535, bits: 24, row: Buffer.alloc(0) }).subarray(0, 54)
    await expect(openBytes(open, head)).rejects.toThrow(TooLarge)
  })

  const plain = bitmap({ ...SIZE, bits: 24, row: rowOf('0000ff', 'ff0000') })
  test.each([
    ['without its end', plain.subarray(0, -1)],
    ['with half a header', plain.subarray(0, 20)],
    ['of nothing', Buffer.alloc(0)],
    ['that is compressed', bitmap({ ...SIZE, bits: 8, row: rowOf('01', '02'), compression: 1 })],
    ['with seven bits per pixel', bitmap({ ...SIZE, bits: 7, row: rowOf('01', '02') })],
    ['without width', bitmap({ ...SIZE, width: -40, bits: 24, row: rowOf('0000ff', 'ff0000') })],
    ['without height', bitmap({ ...SIZE, height: 0, bits: 24, row: rowOf('0000ff', 'ff0000') })],
  ])('%s is refused', async (_what, source) => {
    await expect(openBytes(open, source)).rejects.toThrow()
  })
})
