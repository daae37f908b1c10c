import type {
  RestoredVersion,
  RestoreVersionBody,
  VersionChange,
  VersionsPage,
} from '../../../../shared/api/versions.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { changeOf } from '../../files/api/resource.ts'
import { reportKept } from '../../files/api/unkept.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }

/** `GET /api/versions/{file}`. @param before the id of the last version of the page before @throws ApiError */
export function fetchVersions(path: string, before: string | undefined, signal: AbortSignal): Promise<VersionsPage> {
  const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`
  return apiJson<VersionsPage>(`/api/versions${encodePath(path)}${query}`, { signal })
}

/**
 * Restores a version. @param current the version of the file that may be replaced @returns also the id of the change
 * @throws ApiError
 */
export async function restoreVersion(
  path: string,
  current: string,
  body: RestoreVersionBody,
): Promise<RestoredVersion & { change: string | undefined }> {
  const headers = { ...JSON_BODY, ...(body.how === 'replace' && { 'If-Match': `"${current}"` }) }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await api(`/api/versions${encodePath(path)}`, init)
  reportKept(response.headers.get('X-Kept'), path)
  const restored: RestoredVersion = await response.json()
  return { ...restored, change: changeOf(response) }
}

/** Names or pins a version. @throws ApiError */
export async function changeVersion(id: string, change: VersionChange): Promise<void> {
  await api(keptPath(id), { method: 'PATCH', headers: JSON_BODY, body: JSON.stringify(change) })
}

/** Deletes a version for good. @throws ApiError */
export async function removeVersion(id: string): Promise<void> {
  await api(keptPath(id), { method: 'DELETE' })
}

/** API call for the content of a version. */
export const versionContent = (id: string, inline = false): string =>
  `/api/kept/raw/${encodeURIComponent(id)}${inline ? '?inline=true' : ''}`

const keptPath = (id: string) => `/api/kept/${encodeURIComponent(id)}`
