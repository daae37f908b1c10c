import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { compressed } from '../codecs/codec-threads.ts'
import type { Method } from '../codecs/encoders.ts'

/** A supported archive format. */
export interface Format {
  /** With its dot. */
  extension: string
  /** Media type of the response (http-api 5). */
  type: string
  form: 'tar' | 'zip'
  /** Compresses the tar; may retain the chunks it receives. */
  compress?: (plain: AsyncIterable<Uint8Array>) => Readable
  /** So slow that the number of concurrent archives is limited. */
  costly?: true
}

const OCTETS = 'application/octet-stream'

/** Bytes per chunk of a stream. */
const CHUNK = 256 * 1024

/** A stream of immutable chunks. */
export const plain = (tar: AsyncIterable<Uint8Array>) => Readable.from(tar, { objectMode: false, highWaterMark: CHUNK })
const own = (method: Method) => (tar: AsyncIterable<Uint8Array>) => plain(compressed(tar, method))

/** Pipes the source through a compressor of Node; an error of either ends both. */
const through = (create: () => NodeJS.ReadWriteStream & Readable) => (tar: AsyncIterable<Uint8Array>) => {
  const compressor = create()
  pipeline(plain(tar), compressor, () => {})
  return compressor
}

const ZIP: Format = { extension: '.zip', type: 'application/zip', form: 'zip' }
const TAR: Format = { extension: '.tar', type: OCTETS, form: 'tar' }
const GZIP: Format = { extension: '.tar.gz', type: 'application/x-gzip', form: 'tar', compress: through(createGzip) }
const BZIP2: Format = { extension: '.tar.bz2', type: OCTETS, form: 'tar', compress: own('bzip2'), costly: true }
const XZ: Format = { extension: '.tar.xz', type: OCTETS, form: 'tar', compress: own('xz'), costly: true }
const LZ4: Format = { extension: '.tar.lz4', type: OCTETS, form: 'tar', compress: own('lz4') }
const SNAPPY: Format = { extension: '.tar.sz', type: OCTETS, form: 'tar', compress: own('snappy') }
const ZSTD: Format = { extension: '.tar.zst', type: OCTETS, form: 'tar', compress: through(createZstdCompress) }
const BROTLI: Format = { extension: '.tar.br', type: OCTETS, form: 'tar', compress: through(quickBrotli) }

/** The quality that Brotli's authors recommend for dynamic content; the default takes minutes. */
function quickBrotli() {
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}

/** Values of `algo`: those of the API (http-api 5) and common names. */
const FORMATS: Readonly<Record<string, Format>> = {
  '': ZIP,
  true: ZIP,
  zip: ZIP,
  tar: TAR,
  targz: GZIP,
  'tar.gz': GZIP,
  tarbz2: BZIP2,
  'tar.bz2': BZIP2,
  tarxz: XZ,
  'tar.xz': XZ,
  tarlz4: LZ4,
  'tar.lz4': LZ4,
  tarsz: SNAPPY,
  'tar.sz': SNAPPY,
  tarzst: ZSTD,
  'tar.zst': ZSTD,
  tarbr: BROTLI,
  'tar.br': BROTLI,
}

/** Every non-empty value of `algo`. */
export const ARCHIVE_ALGORITHMS: readonly string[] = Object.keys(FORMATS).filter(name => name !== '')

/** The format an `algo` names, `undefined` for an unknown one. */
export function formatOf(algo: string): Format | undefined {
  return Object.hasOwn(FORMATS, algo) ? FORMATS[algo] : undefined
}
