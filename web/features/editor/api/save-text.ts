import { encodePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'
import { changeOf, rawPath } from '../../files/api/resource.ts'
import { noteUnderWay } from '../../files/api/under-way.ts'
import { reportKept } from '../../files/api/unkept.ts'

const HEADERS = { 'Content-Type': 'application/octet-stream' }

/**
 * `PUT /api/resources/{path}` (http-api 3.3).
 * @param version the only one to replace (`If-Match`, RFC 9110); `undefined` replaces any
 * @returns the new version, and the id of the change
 * @throws ApiError 412 when the file has another version by now
 */
export async function saveText(
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  version: string | undefined,
): Promise<{ version: string; change: string | undefined }> {
  const headers = { ...HEADERS, ...(version ? { 'If-Match': version } : {}) }
  const sent = api(`/api/resources${encodePath(path)}`, { method: 'PUT', body: bytes, headers })
  const response = await noteUnderWay(sent)
  reportKept(response.headers.get('X-Kept'), path)
  return { version: response.headers.get('ETag') ?? (await currentVersion(path)), change: changeOf(response) }
}

/** The same as a new file (http-api 3.2). @throws ApiError 409 when the name is taken */
export async function saveNewText(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await noteUnderWay(api(`/api/resources${encodePath(path)}`, { method: 'POST', body: bytes, headers: HEADERS }))
}

/** Reads the version of a file, which the response to a failed hook lacks; `''` if unavailable. */
async function currentVersion(path: string): Promise<string> {
  try {
    const response = await api(rawPath(path, true), { headers: { Range: 'bytes=0-0' } })
    return response.headers.get('ETag') ?? ''
  } catch {
    return ''
  }
}
