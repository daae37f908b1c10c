import type { Resource } from '../../../../shared/api/resources.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { noteUnderWay } from './under-way.ts'

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

/** The id of the change that a response was recorded as (http-api 21). */
export const changeOf = ({ headers }: Pick<Response, 'headers'>): string | undefined =>
  headers.get('X-Change') ?? undefined

const change = (call: string, init: RequestInit): Promise<Response> => noteUnderWay(api(`/api/resources${call}`, init))

/**
 * `POST /api/resources/{file}` without content (http-api 3.2). @returns the id of the change
 * @throws ApiError 409 when the name is taken
 */
export async function createFile(path: FilePath): Promise<string | undefined> {
  return changeOf(await change(`${encodePath(path)}?override=false`, { method: 'POST' }))
}

/** `POST /api/resources/{folder}/` (http-api 3.2): a trailing slash makes a folder. @returns the same @throws ApiError */
export async function createFolder(path: FilePath): Promise<string | undefined> {
  return changeOf(await change(`${encodePath(path)}/?override=false`, { method: 'POST' }))
}

/** Asks for the trash where the host leaves that to clients. */
export const TO_TRASH = { 'X-Trash': '1' }

/**
 * `DELETE /api/resources/{path}` (http-api 3.4): a file, or a folder with its content.
 * @param permanent for good, not to the trash
 * @returns the id of the item in the trash, if it is there, and that of the change
 * @throws ApiError
 */
export async function removeResource(path: string, permanent = false): Promise<Removal> {
  const query = permanent ? '?permanent=true' : ''
  const init = { method: 'DELETE', headers: permanent ? {} : TO_TRASH }
  const response = await change(`${encodePath(path)}${query}`, init)
  return { kept: response.headers.get('X-Kept') ?? undefined, change: changeOf(response) }
}

export interface Removal {
  kept: string | undefined
  change: string | undefined
}

/** The operations that send items to another folder. */
export type TransferAction = 'copy' | 'move'

/** The names of these operations in the API. */
const WIRE_ACTION: Record<TransferAction, string> = { copy: 'copy', move: 'rename' }

export interface TransferCall {
  from: FilePath
  to: FilePath
  /** The server numbers the name when it is taken. */
  rename?: boolean
}

/** `PATCH /api/resources/{from}` (http-api 3.5), one call per item. The destination is encoded twice. @returns the id of the change @throws ApiError */
export async function transferResource(action: TransferAction, call: TransferCall): Promise<string | undefined> {
  const { from, to, rename = false } = call
  const destination = encodeURIComponent(encodePath(to))
  const query = `action=${WIRE_ACTION[action]}&destination=${destination}&override=false&rename=${rename}`
  return changeOf(await change(`${encodePath(from)}?${query}`, { method: 'PATCH' }))
}
