import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { ContentCheck } from './types.ts'

/** Algorithms of the checksum extension of tus, in the order they are announced to clients. */
export const CHECKSUMS = ['sha1', 'sha256', 'md5'] as const

/**
 * A check that throws `checksum_mismatch` at the end of a block whose bytes do not match the digest.
 * @param header an algorithm and the digest in base64
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
