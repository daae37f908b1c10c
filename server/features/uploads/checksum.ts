import { AppError } from '../../errors.ts'
import { checksumOf } from '../../files/content-checksum.ts'
import type { ContentCheck } from '../../files/types.ts'

/**
 * Parses an `Upload-Checksum` header: an algorithm and the digest in base64 (tus 1.0, checksum extension).
 * @param blocks the header `Upload-Checksum-Blocks`: the block size in bytes; there is one digest for each block
 * @throws AppError `bad_request` for an unknown algorithm, a malformed digest or an invalid block size
 */
export function parseChecksum(header: string | undefined, blocks?: string): ContentCheck | undefined {
  if (header === undefined) return undefined
  if (blocks === undefined) return checksumOf(header)
  if (!/^[1-9]\d{0,14}$/.test(blocks)) throw new AppError('bad_request', 'invalid size of checksum blocks')
  return checksumOf(header, Number(blocks))
}

/**
 * The checksum of the whole file in an `Upload-Metadata` header, under the key `checksum`, spelled as in
 * `Upload-Checksum`. @throws AppError `bad_request` as `parseChecksum`
 */
export function announcedChecksum(metadata: string | undefined): string | undefined {
  const value = metadataOf(metadata, 'checksum')
  if (value === undefined) return undefined
  const checksum = value.toString('latin1')
  parseChecksum(checksum)
  return checksum
}

/** A value in an `Upload-Metadata` header: pairs of a key and a value in base64 (tus 1.0, creation). */
export function metadataOf(metadata: string | undefined, wanted: string): Buffer | undefined {
  const pairs = (metadata ?? '').split(',').map(pair => pair.trim().split(' '))
  const [key, encoded = ''] = pairs.find(([name]) => name === wanted) ?? []
  return key === undefined ? undefined : Buffer.from(encoded, 'base64')
}

/** The SHA-256 of a header spelled as in `parseChecksum`, in hexadecimal; nothing for another algorithm. */
export function sha256In(header: string): string | undefined {
  const [, encoded] = /^sha256 (\S+)$/.exec(header) ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('hex')
}
