/** Bytes of a call or jump: its opcode and target. */
const LENGTH = 5
/** How many of the last four bytes before a jump matter, by which of them looked like jumps themselves. */
const LOOKS_BACK = [0, 1, 2, 2, 3, 3, 3, 3] as const
/** Whether a jump so soon after others was converted. */
const MAY_FOLLOW = [true, true, true, false, true, false, false, false] as const

const isJump = (byte: number) => (byte & 0xfe) === 0xe8
/** The upper byte of a short displacement. */
const isNear = (byte: number) => byte === 0 || byte === 0xff

/** Converts absolute targets of calls and jumps in x86 programs back into relative ones (7z format, BCJ). */
export class BranchFilter {
  #rest: Buffer = Buffer.alloc(0)
  /** Position of the first byte of the rest. */
  #start = 0
  /** Position of the last apparent jump, and which bytes before it looked like jumps. */
  #last = -LENGTH
  #recent = 0

  /** The next bytes; the last ones are held back until more is known. */
  take(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#rest, chunk])
    let at = 0
    while (at + LENGTH <= bytes.length) at += isJump(bytes[at] ?? 0) ? this.#jump(bytes, at) : 1
    this.#rest = bytes.subarray(at)
    this.#start += at
    return bytes.subarray(0, at)
  }

  /** The bytes that were held back. */
  end(): Uint8Array {
    return this.#rest
  }

  /** @returns number of bytes that are done */
  #jump(bytes: Buffer, at: number): number {
    const position = this.#start + at
    const gap = position - this.#last
    this.#recent = gap > 3 ? 0 : (this.#recent << (gap - 1)) & 7
    this.#last = position
    const doubtful = bytes[at + LENGTH - 1 - (LOOKS_BACK[this.#recent] ?? 0)] ?? 0
    const refused = this.#recent !== 0 && (!MAY_FOLLOW[this.#recent] || isNear(doubtful))
    if (refused || !isNear(bytes[at + LENGTH - 1] ?? 0)) {
      this.#recent = (this.#recent << 1) | 1
      return 1
    }
    bytes.writeUInt32LE(wayOf(bytes.readUInt32LE(at + 1), position + LENGTH, this.#recent), at + 1)
    return LENGTH
  }
}

/** The displacement to a target, in 25 bits with its sign. */
function wayOf(target: number, from: number, recent: number): number {
  let way = (target - from) >>> 0
  if (recent !== 0) {
    const shift = (LOOKS_BACK[recent] ?? 0) * 8
    if (isNear((way >>> (24 - shift)) & 0xff)) way = ((way ^ (2 ** (32 - shift) - 1)) - from) >>> 0
  }
  const low = way & 0x01ffffff
  return (low & 0x01000000 ? low | 0xfe000000 : low) >>> 0
}
