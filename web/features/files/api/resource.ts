import type { Resource } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'

/** `GET /api/resources/{path}`. @param asFolder request a folder (trailing slash) @throws ApiError */
export function fetchResource(path: string, asFolder: boolean, signal?: AbortSignal): Promise<Resource> {
  return apiJson<Resource>(resourceCall(path, asFolder), signal ? { signal } : {})
}

/** URL of that call. */
export function resourceCall(path: string, asFolder: boolean): string {
  const encoded = encodePath(path)
  const slash = asFolder && !encoded.endsWith('/') ? '/' : ''
  return `/api/resources${encoded}${slash}`
}

/** URL of a file's bytes; the cookie authenticates the browser's own requests. @param inline display, not save */
export function rawPath(path: string, inline = false): string {
  return `/api/raw${encodePath(path)}${inline ? '?inline=true' : ''}`
}
