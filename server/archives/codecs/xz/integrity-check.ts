import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Adds up content to what stands behind a block. */
export interface XzCheck {
  /** Bytes of it. */
  size: number
  add(piece: Uint8Array): void
  /** Whether the content was what it should be. */
  fits(told: Buffer): boolean
}

/** The check of a stream by the number in its flags; others than these are skipped, as the format allows (.xz format 2.1.1.2). */
export function checkOf(id: number): XzCheck {
  if (id === 1) return crc32Check()
  if (id === 4) return crc64Check()
  if (id === 10) return sha256Check()
  return { size: id === 0 ? 0 : 4 * 2 ** Math.floor((id - 1) / 3), add() {}, fits: () => true }
}

function crc32Check(): XzCheck {
  let crc = 0
  return {
    size: 4,
    add(piece) {
      crc = crc32(piece, crc)
    },
    fits: told => told.readUInt32LE(0) === crc,
  }
}

function sha256Check(): XzCheck {
  const hash = createHash('sha256')
  return {
    size: 32,
    add: piece => void hash.update(piece),
    fits: told => hash.digest().equals(told),
  }
}

/** Halves of the table of CRC-64 (ECMA-182), since numbers of 64 bits are slow. */
const [LOW, HIGH] = crc64Table()

function crc64Table(): [Int32Array, Int32Array] {
  const [low, high] = [new Int32Array(256), new Int32Array(256)]
  for (let byte = 0; byte < 256; byte++) {
    let [l, h] = [byte, 0]
    for (let bit = 0; bit < 8; bit++) {
      const odd = l & 1
      l = (l >>> 1) | (h << 31)
      h >>>= 1
      if (odd) {
        l ^= 0xd7870f42
        h ^= 0xc96c5795
      }
    }
    low[byte] = l
    high[byte] = h
  }
  return [low, high]
}

function crc64Check(): XzCheck {
  let [low, high] = [-1, -1]
  return {
    size: 8,
    add(piece) {
      for (const byte of piece) {
        const at = (low ^ byte) & 0xff
        low = ((low >>> 8) | (high << 24)) ^ (LOW[at] ?? 0)
        high = (high >>> 8) ^ (HIGH[at] ?? 0)
      }
    },
    fits: told => told.readInt32LE(0) === ~low && told.readInt32LE(4) === ~high,
  }
}
