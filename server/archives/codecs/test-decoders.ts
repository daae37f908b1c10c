import { execFileSync, spawnSync } from 'node:child_process'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

const PYTHON: Readonly<Record<string, string>> = {
  bzip2: 'import bz2,sys;sys.stdout.buffer.write(bz2.decompress(sys.stdin.buffer.read()))',
  xz: 'import lzma,sys;sys.stdout.buffer.write(lzma.decompress(sys.stdin.buffer.read()))',
}

/** Independent decompressors, and for two formats minimal ones that share no code with the compressor. */
export const DECODERS = {
  gzip: (packed: Buffer) => gunzipSync(packed),
  zstd: (packed: Buffer) => zstdDecompressSync(packed),
  brotli: (packed: Buffer) => brotliDecompressSync(packed),
  bzip2: (packed: Buffer) => outside('bzip2', packed),
  xz: (packed: Buffer) => outside('xz', packed),
  lz4: (packed: Buffer) => (has('lz4') ? outside('lz4', packed) : unpackLz4(packed)),
  snappy: unpackSnappy,
}

const has = (program: string) => spawnSync(program, ['--version']).error === undefined

/** Runs the named program, or else Python's module. */
function outside(program: string, packed: Buffer): Buffer {
  const options = { input: packed, maxBuffer: 2 ** 30 }
  if (has(program)) return execFileSync(program, ['-dc'], options)
  return execFileSync('python3', ['-c', PYTHON[program] ?? ''], options)
}

/** LZ4 frames as this project makes them: independent blocks, a checksum at the end. */
function unpackLz4(packed: Buffer): Buffer {
  const out: Buffer[] = []
  for (let at = 0; at < packed.length; at += 8) {
    if (packed.readUInt32LE(at) !== 0x184d2204) throw new Error('not an LZ4 frame')
    at += 7
    for (let size = packed.readUInt32LE(at); size !== 0; size = packed.readUInt32LE(at)) {
      const length = size & 0x7fffffff
      const block = packed.subarray(at + 4, at + 4 + length)
      out.push(size >>> 31 ? block : unpackLz4Block(block))
      at += 4 + length
    }
  }
  return Buffer.concat(out)
}

function unpackLz4Block(block: Buffer): Buffer {
  const out: number[] = []
  let at = 0
  const extended = (short: number) => {
    let length = short
    for (let byte = short === 15 ? 255 : 0; byte === 255; ) {
      byte = block[at++] ?? 0
      length += byte
    }
    return length
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = extended(token >> 4)
    for (let index = 0; index < literals; index++) out.push(block[at++] ?? 0)
    if (at >= block.length) break
    const distance = block.readUInt16LE(at)
    at += 2
    for (let left = extended(token & 15) + 4; left > 0; left--) out.push(out[out.length - distance] ?? 0)
  }
  return Buffer.from(out)
}

/** The framing format, with the checksum of every chunk verified. */
function unpackSnappy(packed: Buffer): Buffer {
  const out: Buffer[] = []
  for (let at = 0; at < packed.length; ) {
    const kind = packed[at] ?? 0
    const length = packed.readUIntLE(at + 1, 3)
    const body = packed.subarray(at + 4, at + 4 + length)
    at += 4 + length
    if (kind === 0xff) {
      if (body.toString('latin1') !== 'sNaPpY') throw new Error('not a Snappy stream')
      continue
    }
    const content = kind === 0 ? unpackSnappyBlock(body.subarray(4)) : body.subarray(4)
    if (body.readUInt32LE(0) !== snappyChecksum(content)) throw new Error('wrong checksum')
    out.push(content)
  }
  return Buffer.concat(out)
}

function unpackSnappyBlock(block: Buffer): Buffer {
  let at = 0
  while ((block[at++] ?? 0) & 0x80);
  const out: number[] = []
  while (at < block.length) {
    const tag = block[at++] ?? 0
    if ((tag & 3) === 0) {
      const width = Math.max(0, (tag >> 2) - 59)
      const length = 1 + (width === 0 ? tag >> 2 : block.readUIntLE(at, width))
      at += width
      for (let index = 0; index < length; index++) out.push(block[at++] ?? 0)
    } else if ((tag & 3) === 2) {
      const distance = block.readUInt16LE(at)
      at += 2
      for (let left = (tag >> 2) + 1; left > 0; left--) out.push(out[out.length - distance] ?? 0)
    } else throw new Error('an element this project never writes')
  }
  return Buffer.from(out)
}

/** CRC-32C bit by bit, masked as the format requires. */
function snappyChecksum(content: Buffer): number {
  let crc = -1
  for (const byte of content) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  crc = ~crc
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}
