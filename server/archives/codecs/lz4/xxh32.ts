const PRIME_1 = 0x9e3779b1
const PRIME_2 = 0x85ebca77
const PRIME_3 = 0xc2b2ae3d
const PRIME_4 = 0x27d4eb2f
const PRIME_5 = 0x165667b1
const STRIPE = 16

/** The 32-bit xxHash with seed 0, the checksum of LZ4 frames. */
export function xxh32(input: Uint8Array): number {
  const hash = new Xxh32()
  hash.add(input)
  return hash.digest()
}

/** The same hash, of chunks. */
export class Xxh32 {
  #lanes: [number, number, number, number] = [(PRIME_1 + PRIME_2) | 0, PRIME_2 | 0, 0, -PRIME_1 | 0]
  #rest: Uint8Array = new Uint8Array()
  #length = 0

  add(chunk: Uint8Array): void {
    this.#length += chunk.length
    const input = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const view = new DataView(input.buffer, input.byteOffset, input.length)
    let [a, b, c, d] = this.#lanes
    let at = 0
    for (; at + STRIPE <= input.length; at += STRIPE) {
      a = round(a, view.getInt32(at, true))
      b = round(b, view.getInt32(at + 4, true))
      c = round(c, view.getInt32(at + 8, true))
      d = round(d, view.getInt32(at + 12, true))
    }
    this.#lanes = [a, b, c, d]
    this.#rest = input.slice(at)
  }

  digest(): number {
    const [a, b, c, d] = this.#lanes
    const lanes = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)
    let hash = ((this.#length >= STRIPE ? lanes : PRIME_5) + this.#length) | 0
    const rest = this.#rest
    const view = new DataView(rest.buffer, rest.byteOffset, rest.length)
    let at = 0
    for (; at + 4 <= rest.length; at += 4) {
      hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), PRIME_3)) | 0, 17), PRIME_4)
    }
    for (; at < rest.length; at++) hash = Math.imul(rotate((hash + Math.imul(rest[at] ?? 0, PRIME_5)) | 0, 11), PRIME_1)
    return avalanche(hash)
  }
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, PRIME_2)) | 0, 13), PRIME_1)
}

function avalanche(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15), PRIME_2)
  mixed = Math.imul(mixed ^ (mixed >>> 13), PRIME_3)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))
