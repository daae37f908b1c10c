import type { IncomingHttpHeaders } from 'node:http'
import { checksumOf } from '../../files/content-checksum.ts'
import type { ContentCheck } from '../../files/types.ts'

/** Digests of a body in base64, by algorithm as `checksumOf` names it. */
type Digests = [algorithm: 'sha256' | 'sha1' | 'md5', digest: string][]

/** Of ownCloud, which rclone sends: `SHA1:` and the digest in hexadecimal. */
const OF_OWNCLOUD = /^(sha256|sha1|md5):([\da-f]{2,})$/i
/** A SHA-256 in a dictionary of digests (RFC 9530). */
const OF_RFC_9530 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]+={0,2}):/

/**
 * Compares a body with the digests that its headers announce, before it is published: `OC-Checksum`, `Repr-Digest` and
 * `Content-MD5`. Other algorithms count as none.
 * @returns a check that throws `checksum_mismatch`; `undefined` where nothing is announced
 */
export function announcedDigests(headers: IncomingHttpHeaders): ContentCheck | undefined {
  const checks = digestsIn(headers).map(([algorithm, digest]) => checksumOf(`${algorithm} ${digest}`))
  if (checks.length === 0) return undefined
  return {
    piece(bytes) {
      for (const check of checks) check.piece(bytes)
    },
    end() {
      for (const check of checks) check.end()
    },
  }
}

function digestsIn(headers: IncomingHttpHeaders): Digests {
  const found: Digests = []
  const [, name = '', hexadecimal = ''] = OF_OWNCLOUD.exec(text(headers['oc-checksum'])) ?? []
  const algorithm = (['sha256', 'sha1', 'md5'] as const).find(known => known === name.toLowerCase())
  if (algorithm) found.push([algorithm, Buffer.from(hexadecimal, 'hex').toString('base64')])
  const [, sha256] = OF_RFC_9530.exec(text(headers['repr-digest'])) ?? []
  if (sha256 !== undefined) found.push(['sha256', sha256])
  const md5 = text(headers['content-md5'])
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(md5)) found.push(['md5', md5])
  return found
}

const text = (header: string | string[] | undefined) => [header].flat().join(', ').trim()
