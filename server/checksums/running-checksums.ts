/** Checksums of the wire (http-api 3.1). */
export const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type Digest = (typeof DIGESTS)[number]

export interface DigestAsk {
  id: number
  algorithm: Digest
  piece?: Uint8Array
  /** The digest is wanted (or nothing more, when nobody waits). */
  last?: true
}

export interface DigestAnswer {
  id: number
  digest?: string
}
