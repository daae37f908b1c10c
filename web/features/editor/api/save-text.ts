import { encodePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'
import { rawPath } from '../../../lib/resource.ts'

/**
 * `PUT /api/resources/{path}` (contract 3.3).
 * @param version the only one that may be replaced (`If-Match`, RFC 9110); `undefined` replaces any
 * @returns the new version
 * @throws ApiError 412 when the file has another version by now
 */
export async function saveText(path: string, text: string, version: string | undefined): Promise<string> {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...(version ? { 'If-Match': version } : {}) }
  const response = await api(`/api/resources${encodePath(path)}`, { method: 'PUT', body: text, headers })
  return response.headers.get('ETag') ?? (await currentVersion(path))
}

/** The version of a file, which an answer about what failed after saving does not tell; `''` if it can't be had. */
async function currentVersion(path: string): Promise<string> {
  try {
    const response = await api(rawPath(path, true), { headers: { Range: 'bytes=0-0' } })
    return response.headers.get('ETag') ?? ''
  } catch {
    return ''
  }
}
