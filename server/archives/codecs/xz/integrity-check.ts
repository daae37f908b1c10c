import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The integrity check of a block's content. */
export interface XzCheck {
  /** Its size in bytes. */
  size: number
  add(chunk: Uint8Array): void
  /** Whether the content matches. */
  fits(stored: Buffer): boolean
}

/**
 * The check of a stream by the id in its flags; unknown ones are skipped, as the format allows (.xz format 2.1.1.2).
 */
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
    add(chunk) {
      crc = crc32(chunk, crc)
    },
    fits: stored => stored.readUInt32LE(0) === crc,
  }
}

function sha256Check(): XzCheck {
  const hash = createHash('sha256')
  return {
    size: 32,
    add: chunk => void hash.update(chunk),
    fits: stored => hash.digest().equals(stored),
  }
}

/** 32-bit halves of the table of CRC-64 (ECMA-182), since 64-bit numbers are slow. */
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
    add(chunk) {
      for (const byte of chunk) {
        const at = (low ^ byte) & 0xff
        low = ((low >>> 8) | (high << 24)) ^ (LOW[at] ?? 0)
        high = (high >>> 8) ^ (HIGH[at] ?? 0)
      }
    },
    fits: stored => stored.readInt32LE(0) === ~low && stored.readInt32LE(4) === ~high,
  }
}
