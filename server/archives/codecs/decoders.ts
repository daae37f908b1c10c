import type { PieceReader } from '../byte-reader.ts'
import { unpackBzip2 } from './bzip2/decode.ts'
import { type Coder, throughCoders } from './coder-chain.ts'
import { unpackLz4 } from './lz4/decode.ts'
import { unpackSnappy } from './snappy/decode.ts'
import { unpackXz } from './xz/decode.ts'

/** Decompressors of our own; each takes several streams of its format in a row for one. */
export const UNPACKERS = {
  bzip2: unpackBzip2,
  xz: unpackXz,
  lz4: unpackLz4,
  snappy: unpackSnappy,
} as const satisfies Record<string, (reader: PieceReader) => AsyncGenerator<Uint8Array>>

export type UnpackMethod = keyof typeof UNPACKERS

/** What is to be done with one stream: a format, or the coders of a block and how many bytes it has. */
export type Unpacking = UnpackMethod | { coders: readonly Coder[]; packed: number }

/** The bytes of a stream unpacked. @throws undecodable, unsupported */
export function unpacked(how: Unpacking, reader: PieceReader): AsyncGenerator<Uint8Array> {
  return typeof how === 'string' ? UNPACKERS[how](reader) : throughCoders(reader, how.coders, how.packed)
}

/** What a thread is told: to go on, or the next bytes of what it unpacks. */
export type ToThread = { next: true } | { packed: Uint8Array } | { packedEnd: true }

/** What it tells: that it needs bytes, what it has unpacked, that it is done, or why it cannot go on. */
export type FromThread = { wants: true } | { piece: Uint8Array } | { end: true } | { failed: string }
