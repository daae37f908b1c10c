import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'
import { senderHeaders } from '../../../lib/sender.ts'
import type { Link } from '../link.ts'
import { publicPath } from './addresses.ts'

/** `/api/public/resources/{hash}/{path}` (http-api 10.4). @param path encoded, with its slashes */
async function change(
  link: Link,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  query: Record<string, string> = {},
): Promise<void> {
  const values = new URLSearchParams(query).toString()
  const url = `/api/public/resources/${encodeURIComponent(link.hash)}${path}${values === '' ? '' : `?${values}`}`
  await api(url, { method, headers: headersOf(link), auth: false })
}

const headersOf = ({ ticket, sender }: Link): Record<string, string> => ({
  ...(ticket !== undefined && { 'X-Share-Ticket': ticket }),
  ...(sender !== undefined && senderHeaders()),
})

/** Makes a folder. @throws ApiError 409 when the name is taken */
export const createSharedFolder = (link: Link, path: FilePath): Promise<void> =>
  change(link, 'POST', `${encodePath(path)}/`)

/** Renames an item, or moves it. @throws ApiError 409 when the name is taken */
export const renameShared = (link: Link, from: FilePath, to: FilePath): Promise<void> =>
  change(link, 'PATCH', encodePath(from), { action: 'rename', destination: encodePath(to), override: 'false' })

/** Deletes an item: to the trash of the owner where there is one. @throws ApiError */
export const deleteShared = (link: Link, path: string): Promise<void> => change(link, 'DELETE', encodePath(path))

/** The bytes of a file and its version. */
export interface SharedBytes {
  bytes: Uint8Array<ArrayBuffer>
  /** ETag. */
  version: string
}

/** @param path below the link, anything for a file that is shared alone @throws ApiError */
export async function loadShared({ hash, ticket }: Link, path: string, signal?: AbortSignal): Promise<SharedBytes> {
  const url = publicPath('dl', hash, path, { token: ticket, inline: true })
  const response = await api(url, { ...(signal && { signal }), auth: false })
  return { bytes: new Uint8Array(await response.arrayBuffer()), version: response.headers.get('ETag') ?? '' }
}

/**
 * Saves a file.
 * @param version the only one to replace @returns the new one @throws ApiError 412 when the file has another by now
 */
export async function saveShared(link: Link, path: string, { bytes, version }: SharedBytes): Promise<string> {
  const response = await api(`/api/public/resources/${encodeURIComponent(link.hash)}${encodePath(path)}`, {
    method: 'PUT',
    body: bytes,
    headers: { ...headersOf(link), 'Content-Type': 'application/octet-stream', 'If-Match': version },
    auth: false,
  })
  return response.headers.get('ETag') ?? (await loadShared(link, path)).version
}
