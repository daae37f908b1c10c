import type { ChunkReader } from '../byte-reader.ts'
import { unpackBzip2 } from './bzip2/decode.ts'
import { type Coder, throughCoders } from './coder-chain.ts'
import { unpackLz4 } from './lz4/decode.ts'
import { unpackSnappy } from './snappy/decode.ts'
import { unpackXz } from './xz/decode.ts'

/** Our own decompressors; each accepts concatenated streams of its format. */
export const UNPACKERS = {
  bzip2: unpackBzip2,
  xz: unpackXz,
  lz4: unpackLz4,
  snappy: unpackSnappy,
} as const satisfies Record<string, (reader: ChunkReader) => AsyncGenerator<Uint8Array>>

export type UnpackMethod = keyof typeof UNPACKERS

/** How to decode a stream: a format, or the coders of a block and its size in bytes. */
export type Unpacking = UnpackMethod | { coders: readonly Coder[]; packed: number }

/** The bytes of a stream decompressed. @throws undecodable, unsupported */
export function unpacked(how: Unpacking, reader: ChunkReader): AsyncGenerator<Uint8Array> {
  return typeof how === 'string' ? UNPACKERS[how](reader) : throughCoders(reader, how.coders, how.packed)
}
