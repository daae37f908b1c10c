import type { FileResource } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'

/** The checksum algorithms (http-api 3.1), with their display names. */
export const CHECKSUMS = [
  { algo: 'md5', name: 'MD5' },
  { algo: 'sha1', name: 'SHA-1' },
  { algo: 'sha256', name: 'SHA-256' },
  { algo: 'sha512', name: 'SHA-512' },
] as const

export type ChecksumAlgo = (typeof CHECKSUMS)[number]['algo']

/** `GET /api/resources/{file}?checksum={algo}`: lower-case hex. @throws ApiError */
export async function fetchChecksum(path: string, algo: ChecksumAlgo, signal: AbortSignal): Promise<string> {
  const url = `/api/resources${encodePath(path)}?checksum=${algo}`
  const { checksums } = await apiJson<FileResource>(url, { signal })
  return checksums?.[algo] ?? ''
}
