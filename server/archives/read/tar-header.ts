import { textOf } from '../../../shared/bytes.ts'
import { damaged } from '../source.ts'

/** Bytes of a header, and what content is filled up to. */
export const BLOCK = 512
const SPARSE = 'S'.charCodeAt(0)

/** What one header block of a tar says. */
export interface TarHeader {
  name: string
  mode: number
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  /** The letter that says what it is (POSIX 1003.1, ustar). */
  type: string
  /** Blocks with a list of holes follow (the older form of GNU). */
  listsHoles: boolean
}

/** Whether a block is nothing but zeros: two of them end an archive. */
export const isEmpty = (block: Buffer): boolean => block.every(byte => byte === 0)

/** Whether another block with a list of holes follows this one. */
export const listsMoreHoles = (block: Buffer): boolean => block[504] === 1

/** Whether a block is the header of a tar. */
export const isTarHeader = (block: Buffer): boolean =>
  block.length === BLOCK && !isEmpty(block) && sumsUp(block) && block[0] !== 0

/** Reads a header block. @throws undecodable */
export function readHeader(block: Buffer): TarHeader {
  if (!sumsUp(block)) throw damaged()
  const prefix = hasPrefix(block) ? fieldOf(block, 345, 155) : ''
  const name = fieldOf(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: numberAt(block, 100, 8) & 0o777,
    size: numberAt(block, 124, 12),
    modified: numberAt(block, 136, 12) * 1000,
    type: block[156] === 0 ? '0' : String.fromCharCode(block[156] ?? 0),
    listsHoles: block[156] === SPARSE && block[482] === 1,
  }
}

/** The sum of all bytes, its own field counted as blanks; old programs took the bytes as signed. */
function sumsUp(block: Buffer): boolean {
  let plain = 0
  let signed = 0
  for (const [at, value] of block.entries()) {
    const byte = at >= 148 && at < 156 ? 0x20 : value
    plain += byte
    signed += byte > 127 ? byte - 256 : byte
  }
  const told = Number.parseInt(block.toString('latin1', 148, 156).replace(/^[ \0]+/, ''), 8)
  return told === plain || told === signed
}

/** In the form of GNU other things stand where the beginning of a long name is in that of POSIX. */
const hasPrefix = (block: Buffer) => block.toString('latin1', 257, 263) === 'ustar\0'

/** A field that ends with a zero byte, or fills its place. */
function fieldOf(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return textOf(end < 0 ? field : field.subarray(0, end))
}

/** Octal digits, or in the form of GNU a number in base 256 that the top bit announces. @throws undecodable */
function numberAt(block: Buffer, at: number, length: number): number {
  const field = block.subarray(at, at + length)
  const lead = field[0] ?? 0
  if (lead < 0x80) {
    const digits = field.toString('latin1').replace(/^[ \0]+|[ \0].*$/gs, '')
    if (!/^[0-7]*$/.test(digits)) throw damaged()
    return digits === '' ? 0 : Number.parseInt(digits, 8)
  }
  const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, lead === 0xff ? -1 : lead & 0x7f)
  if (!Number.isSafeInteger(value)) throw damaged()
  return value
}
