import { textOf } from '../../../shared/bytes.ts'
import { corrupt } from '../source.ts'

/** Size of a header in bytes, and the unit to which content is padded. */
export const BLOCK = 512
const SPARSE = 'S'.charCodeAt(0)

/** The fields of a tar header block. */
export interface TarHeader {
  name: string
  mode: number
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  /** The type flag (POSIX 1003.1, ustar). */
  type: string
  /** Whether blocks with a sparse map follow (old GNU format). */
  listsHoles: boolean
}

/** Whether a block is all zeros: two of them end an archive. */
export const isEmpty = (block: Buffer): boolean => block.every(byte => byte === 0)

/** Whether another block with a sparse map follows this one. */
export const listsMoreHoles = (block: Buffer): boolean => block[504] === 1

/** Whether a block is the header of a tar. */
export const isTarHeader = (block: Buffer): boolean =>
  block.length === BLOCK && !isEmpty(block) && sumsUp(block) && block[0] !== 0

/** Reads a header block. @throws undecodable */
export function readHeader(block: Buffer): TarHeader {
  if (!sumsUp(block)) throw corrupt()
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

/** The sum of all bytes, with its own field counted as blanks; old programs treated the bytes as signed. */
function sumsUp(block: Buffer): boolean {
  let plain = 0
  let signed = 0
  for (const [at, value] of block.entries()) {
    const byte = at >= 148 && at < 156 ? 0x20 : value
    plain += byte
    signed += byte > 127 ? byte - 256 : byte
  }
  const stored = Number.parseInt(block.toString('latin1', 148, 156).replace(/^[ \0]+/, ''), 8)
  return stored === plain || stored === signed
}

/** The GNU format has other fields where POSIX has the prefix of a long name. */
const hasPrefix = (block: Buffer) => block.toString('latin1', 257, 263) === 'ustar\0'

/** A field that ends with a zero byte, or fills its space. */
function fieldOf(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return textOf(end < 0 ? field : field.subarray(0, end))
}

/** Octal digits, or in the GNU format a base-256 number marked by the top bit. @throws undecodable */
function numberAt(block: Buffer, at: number, length: number): number {
  const field = block.subarray(at, at + length)
  const lead = field[0] ?? 0
  if (lead < 0x80) {
    const digits = field.toString('latin1').replace(/^[ \0]+|[ \0].*$/gs, '')
    if (!/^[0-7]*$/.test(digits)) throw corrupt()
    return digits === '' ? 0 : Number.parseInt(digits, 8)
  }
  const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, lead === 0xff ? -1 : lead & 0x7f)
  if (!Number.isSafeInteger(value)) throw corrupt()
  return value
}
