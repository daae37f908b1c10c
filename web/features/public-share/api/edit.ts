import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'
import type { Link } from '../link.ts'

/** `/api/public/resources/{hash}/{path}` (http-api 10.4). @param path encoded, with its slashes */
async function change(
  { hash, ticket }: Link,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  query: Record<string, string> = {},
): Promise<void> {
  const values = new URLSearchParams(query).toString()
  const url = `/api/public/resources/${encodeURIComponent(hash)}${path}${values === '' ? '' : `?${values}`}`
  const headers = ticket === undefined ? {} : { 'X-Share-Ticket': ticket }
  await api(url, { method, headers, auth: false })
}

/** Makes a folder. @throws ApiError 409 when the name is taken */
export const createSharedFolder = (link: Link, path: FilePath): Promise<void> =>
  change(link, 'POST', `${encodePath(path)}/`)

/** Renames an item. @throws ApiError 409 when the name is taken */
export const renameShared = (link: Link, from: FilePath, to: FilePath): Promise<void> =>
  change(link, 'PATCH', encodePath(from), { action: 'rename', destination: encodePath(to), override: 'false' })

/** Deletes an item: to the trash of the owner where there is one. @throws ApiError */
export const deleteShared = (link: Link, path: string): Promise<void> => change(link, 'DELETE', encodePath(path))
