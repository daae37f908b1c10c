import { apiUrl } from './config.ts'
import { t } from './i18n/index.ts'
import { notify } from './notices.ts'
import { reportNoResponse, reportResponse } from './online.ts'
import { type PreloadedCall, takePreloaded } from './preloaded-calls.ts'
import { askPresence, reportChange } from './presence.ts'
import { beginSession, currentToken, endSession } from './token.ts'

export { apiUrl } from './config.ts'

/** A response outside 2xx, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** The server's error code (`X-Error-Code`), `''` without one. */
  readonly code: string
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Continues a sign-in that lacks its second factor (`X-Login-Ticket`), `''` without one. */
  ticket = ''
  /** What may follow then (`X-Factors`). */
  factors = ''
  /** Why a directory refuses a sign-in (`X-Problem`, `X-Provider`). */
  refusal: { problem: string; provider: string } | undefined
  /** Request id in the server's log (`X-Request-Id`), `''` without one. */
  readonly reference: string
  constructor(status: number, message: string, code = '', retryAfter?: number, reference = '') {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.reference = reference
  }
}

/** Waits for a removal; what another client removed first (404) is no error. @throws ApiError */
export function unlessMissing<T>(removal: Promise<T>): Promise<T | undefined> {
  return removal.catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
    return undefined
  })
}

export interface ApiInit extends RequestInit {
  /** `false` for calls without a session: no token is sent, and the caller handles a 401. */
  auth?: boolean
}

/** Returned only to conditional calls (`If-None-Match`). */
export const NOT_MODIFIED = 304

/**
 * One API call: adds base URL and token, renews the token when the server requests it, ends the session on 401. A call
 * that must be confirmed first is repeated after that.
 * @throws ApiError for every response outside 2xx that means failure; status 0 without a
 *   connection ('000 No connection') or when the call was aborted ('001 Connection aborted')
 */
export async function api(path: string, { auth = true, ...init }: ApiInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const token = auth ? currentToken() : null
  if (token) headers.set('X-Auth', token)
  const preloaded = takePreloaded(path, init)
  const known = preloaded && (await transfer(() => preloadedResponse(preloaded, init.signal), init.signal))
  const response = known ?? (await transfer(() => fetch(apiUrl(path), { ...init, headers }), init.signal))
  reportResponse()
  if (token) await settleSession(response, known && preloaded ? preloaded.token : token)
  if (response.ok && token && init.method) reportChange()
  if (response.ok || response.status === NOT_MODIFIED) return response
  const error = await errorOf(response)
  if (error.code === 'confirm_first' && (await askPresence())) return api(path, { auth, ...init })
  if (!reportHookFailure(error.code)) throw error
  return response
}

/** The response of a preloaded call; none when its token is no longer valid, since the current one may be. */
async function preloadedResponse({ answer, abort }: PreloadedCall, signal: AbortSignal | null | undefined) {
  signal?.addEventListener('abort', abort, { once: true })
  const response = await answer
  return response.status === 401 ? undefined : response
}

/** `api`, read as JSON. The caller asserts the type of the route. */
export function apiJson<T>(path: string, init: ApiInit = {}): Promise<T> {
  return apiRead<T>(path, init, response => response.json())
}

/** `api`, read as text. */
export function apiText(path: string, init: ApiInit = {}): Promise<string> {
  return apiRead(path, init, response => response.text())
}

/** `api` with a custom reader; what `read` throws counts as a lost connection, unless it is a `SyntaxError`. */
export async function apiRead<T>(path: string, init: ApiInit, read: (response: Response) => Promise<T>): Promise<T> {
  const response = await api(path, init)
  return transfer(() => read(response), init.signal)
}

/** The HTTP client: every request goes through it, and its errors carry a text for the user. */
async function transfer<T>(act: () => Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof SyntaxError) throw error
    if (signal?.aborted) throw new ApiError(0, '001 Connection aborted')
    reportNoResponse()
    throw new ApiError(0, '000 No connection')
  }
}

/**
 * Applies a response to an authenticated call to the session: renew first, then check the status (contract 20.1).
 * Callers with a transport of their own (uploads) call it too.
 * @param token the token of the call: the response to an older one does not end a newer session
 */
export async function settleSession(response: Pick<Response, 'status' | 'headers'>, token: string): Promise<void> {
  if (response.headers.get('X-Renew-Token') === 'true' && currentToken() === token) await renew().catch(() => undefined)
  if (response.status === 401 && currentToken() === token) endSession('expired')
}

let renewing: Promise<void> | null = null

/** Fetches a fresh token; concurrent calls share one request. @throws ApiError */
export function renew(): Promise<void> {
  renewing ??= renewNow().finally(() => {
    renewing = null
  })
  return renewing
}

async function renewNow(): Promise<void> {
  const old = currentToken()
  if (!old) return
  const text = await apiText('/api/renew', { method: 'POST', headers: { 'X-Auth': old }, auth: false })
  // The user may have signed out, or another one in, in the meantime.
  if (currentToken() === old) beginSession(text)
}

/** The `ApiError` for a response outside 2xx; its message is the body's text. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = (await response.text().catch(() => '')).trim()
  const message = text || `${response.status} ${response.statusText}`.trim()
  const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const retryAfter = Number.isFinite(wait) ? wait : undefined
  const code = response.headers.get('X-Error-Code') ?? ''
  const error = new ApiError(response.status, message, code, retryAfter, response.headers.get('X-Request-Id') ?? '')
  error.ticket = response.headers.get('X-Login-Ticket') ?? ''
  error.factors = response.headers.get('X-Factors') ?? ''
  const problem = response.headers.get('X-Problem')
  if (problem) error.refusal = { problem, provider: decodeURIComponent(response.headers.get('X-Provider') ?? '') }
  return error
}

/**
 * Reports a response that is not a failure of the call: the operation succeeded, but a hook that the server ran
 * afterwards failed. @param code the server's error code @returns whether it was such a response
 */
export function reportHookFailure(code: string): boolean {
  if (code !== 'hook_failed') return false
  notify('error', t('errors.hookFailed'))
  return true
}
