import { createHash } from 'node:crypto'
import { AppError } from '../../errors.ts'
import type { ContentCheck } from '../../files/types.ts'

/** Algorithms of the checksum extension, in the order they are announced to clients. */
export const CHECKSUMS = ['sha1', 'sha256', 'md5'] as const

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
 * A check that throws `checksum_mismatch` at the end of a block whose bytes do not match the digest.
 * @param header spelled as in `parseChecksum`
 * @param block bytes of a block; the whole body unless given
 */
export function checksumOf(header: string, block = Number.POSITIVE_INFINITY): ContentCheck {
  const [, name, encoded = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(header) ?? []
  const algorithm = CHECKSUMS.find(known => known === name)
  if (!algorithm) throw new AppError('bad_request', 'unknown checksum algorithm')
  let expected = Buffer.from(encoded, 'base64')
  let hash = createHash(algorithm)
  let filled = 0
  let good = 0
  const close = () => {
    const digest = hash.digest()
    if (!digest.equals(expected.subarray(0, digest.length))) throw new AppError('checksum_mismatch')
    expected = expected.subarray(digest.length)
    hash = createHash(algorithm)
    good += filled
    filled = 0
  }
  return {
    piece(bytes) {
      for (let rest = bytes; rest.length > 0; ) {
        const part = rest.subarray(0, block - filled)
        hash.update(part)
        filled += part.length
        rest = rest.subarray(part.length)
        if (filled === block) close()
      }
    },
    end() {
      if (filled > 0 || good === 0) close()
      if (expected.length > 0) throw new AppError('checksum_mismatch')
    },
    good: () => good,
  }
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
