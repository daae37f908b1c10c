/** Checksums of the API (http-api 3.1). */
export const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type Digest = (typeof DIGESTS)[number]

export interface DigestRequest {
  id: number
  algorithm: Digest
  piece?: Uint8Array
  /** Whether this is the end: the digest is sent, or, after a cancellation, the state is dropped. */
  last?: true
}

export interface DigestResponse {
  id: number
  digest?: string
}
