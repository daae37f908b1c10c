import { ByteSink } from '../byte-writer.ts'
import { findMatches } from '../matches.ts'
import { xxh32 } from './xxh32.ts'

const MAGIC = 0x184d2204
/** Version 1, independent blocks, content checksum. */
const FLAGS = 0x64
/** Blocks of up to 4 MiB. */
const BLOCK_DESCRIPTOR = 0x70
const UNCOMPRESSED = 0x80000000
const FARTHEST = 65_535
const MIN_MATCH = 4

/** Largest input of `lz4Frame`, in bytes. */
export const LZ4_BLOCK = 4 * 1024 * 1024

/** Compresses up to `LZ4_BLOCK` bytes into a whole LZ4 frame; frames may be concatenated (LZ4 frame format 1.6). */
export function lz4Frame(input: Uint8Array): Uint8Array {
  const out = new ByteSink(input.length / 2 + 64)
  out.pushLittleEndian(MAGIC, 4)
  out.push(FLAGS)
  out.push(BLOCK_DESCRIPTOR)
  out.push((xxh32(Uint8Array.of(FLAGS, BLOCK_DESCRIPTOR)) >>> 8) & 0xff)
  if (input.length > 0) {
    const block = lz4Block(input)
    const smaller = block.length < input.length
    out.pushLittleEndian((smaller ? block.length : input.length | UNCOMPRESSED) >>> 0, 4)
    out.append(smaller ? block : input)
  }
  out.pushLittleEndian(0, 4)
  out.pushLittleEndian(xxh32(input), 4)
  return out.view()
}

function lz4Block(input: Uint8Array): Uint8Array {
  const out = new ByteSink(input.length / 2 + 64)
  let done = 0
  findMatches(input, 0, input.length, FARTHEST, (at, distance, length) => {
    pushSequence(out, input.subarray(done, at), length - MIN_MATCH)
    out.pushLittleEndian(distance, 2)
    pushRest(out, length - MIN_MATCH)
    done = at + length
  })
  pushSequence(out, input.subarray(done), 0)
  return out.view()
}

/** The token and the literals before a match; the match's distance and the rest of its length follow. */
function pushSequence(out: ByteSink, literals: Uint8Array, matchLength: number): void {
  out.push((Math.min(literals.length, 15) << 4) | Math.min(matchLength, 15))
  pushRest(out, literals.length)
  out.append(literals)
}

/** The part of a length that did not fit into four bits of the token. */
function pushRest(out: ByteSink, length: number): void {
  if (length < 15) return
  let rest = length - 15
  for (; rest >= 255; rest -= 255) out.push(255)
  out.push(rest)
}
