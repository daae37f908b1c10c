import { createHash } from 'node:crypto'
import { AppError } from '../../errors.ts'
import type { ContentCheck } from '../../files/types.ts'

/** Algorithms of the checksum extension, in the order they are told to clients. */
export const CHECKSUMS = ['sha1', 'sha256', 'md5'] as const

/**
 * Reads an `Upload-Checksum` header: an algorithm and the digest in base64 (tus 1.0, checksum extension).
 * @throws AppError `bad_request` for an unknown algorithm or a malformed digest
 */
export function parseChecksum(header: string | undefined): ContentCheck | undefined {
  return header === undefined ? undefined : checksumOf(header)
}

/**
 * What refuses bytes that are not the announced ones, by throwing `checksum_mismatch` at the end.
 * @param header spelled as in `parseChecksum`
 */
export function checksumOf(header: string): ContentCheck {
  const [, name, encoded = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header) ?? []
  const algorithm = CHECKSUMS.find(known => known === name)
  if (!algorithm) throw new AppError('bad_request', 'unknown checksum algorithm')
  const expected = Buffer.from(encoded, 'base64')
  const hash = createHash(algorithm)
  return {
    piece: bytes => void hash.update(bytes),
    end() {
      if (!hash.digest().equals(expected)) throw new AppError('checksum_mismatch')
    },
  }
}

/**
 * The checksum of the whole file in an `Upload-Metadata` header (tus 1.0, creation): pairs of a key and a value in base64,
 * of which we know `checksum`, with a value as in `Upload-Checksum`.
 * @throws AppError `bad_request` as `parseChecksum`
 */
export function announcedChecksum(metadata: string | undefined): string | undefined {
  const pairs = (metadata ?? '').split(',').map(pair => pair.trim().split(' '))
  const [key, encoded = ''] = pairs.find(([name]) => name === 'checksum') ?? []
  if (key === undefined) return undefined
  const checksum = Buffer.from(encoded, 'base64').toString('latin1')
  parseChecksum(checksum)
  return checksum
}
