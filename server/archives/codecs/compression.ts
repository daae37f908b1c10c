import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { AppError } from '../../errors.ts'
import type { Semaphore } from '../../lib/limit.ts'
import { MAX_WINDOW } from '../read-limits.ts'
import { corrupt } from '../source.ts'
import { decompressed } from './codec-threads.ts'
import type { UnpackMethod } from './decoders.ts'

/** The signal of the client, and the semaphore for the thread. */
export interface UnpackOptions {
  semaphore: Semaphore
  signal: AbortSignal
}

/** The bytes of `packed` decompressed. @throws undecodable, unsupported, unavailable */
export type Unpack = (packed: AsyncIterable<Uint8Array>, options: UnpackOptions) => AsyncIterable<Uint8Array>

/** Bytes of decompressed chunks. */
const CHUNK = 256 * 1024

const apart =
  (method: UnpackMethod): Unpack =>
  (packed, options) =>
    decompressed(packed, method, options)

/** Pipes the bytes through a decompressor of Node. */
const through = (create: () => NodeJS.ReadWriteStream & Readable): Unpack =>
  async function* (packed) {
    const decompressor = create()
    pipeline(Readable.from(packed, { objectMode: false }), decompressor, () => {})
    try {
      yield* decompressor
    } catch (thrown) {
      throw thrown instanceof AppError ? thrown : corrupt()
    } finally {
      decompressor.destroy()
    }
  }

const zstd = () =>
  createZstdDecompress({
    chunkSize: CHUNK,
    params: { [constants.ZSTD_d_windowLogMax]: Math.log2(MAX_WINDOW) },
  })

/** Magic numbers of compressed files in hexadecimal digits, and their decompressors. */
const BY_START: readonly { start: string; unpack: Unpack }[] = [
  { start: '1f8b08', unpack: through(() => createGunzip({ chunkSize: CHUNK })) },
  { start: '425a68', unpack: apart('bzip2') },
  { start: 'fd377a585a00', unpack: apart('xz') },
  { start: '28b52ffd', unpack: through(zstd) },
  { start: '04224d18', unpack: apart('lz4') },
  { start: 'ff060000734e6150', unpack: apart('snappy') },
]

const brotli = through(() => createBrotliDecompress({ chunkSize: CHUNK }))

/** The decompressor of a file, by its first bytes; Brotli has no magic number and is recognized by the file name. */
export function unpackOf(head: Buffer, name: string): Unpack | undefined {
  const start = head.toString('hex', 0, 8)
  const known = BY_START.find(({ start: own }) => start.startsWith(own))
  return known?.unpack ?? (name.toLowerCase().endsWith('.br') ? brotli : undefined)
}
