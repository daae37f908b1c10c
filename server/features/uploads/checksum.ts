import { createHash } from 'node:crypto'
import { AppError } from '../../errors.ts'

/** Algorithms of the checksum extension, in the order they are told to clients. */
export const CHECKSUMS = ['sha1', 'sha256', 'md5'] as const

/** What refuses a piece whose bytes are not the announced ones. */
export interface PieceCheck {
  piece(bytes: Buffer): void
  /** @throws AppError `checksum_mismatch` */
  end(): void
}

/**
 * Reads an `Upload-Checksum` header: an algorithm and the digest in base64 (tus 1.0, checksum extension).
 * @throws AppError `bad_request` for an unknown algorithm or a malformed digest
 */
export function parseChecksum(header: string | undefined): PieceCheck | undefined {
  if (header === undefined) return undefined
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
