import { ApiError, reportHookFailure, settleSession } from '../../lib/api.ts'
import { currentToken } from '../../lib/session.ts'

/** Milliseconds without upload progress, or without a response, after which a connection counts as lost. */
const STALLED = 60_000

/** For calls without a body: a lost network is not reported. */
export const untilLost = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(STALLED)])

export interface Sending {
  method: 'POST' | 'PATCH'
  url: string
  /** `false` for calls without a session. */
  auth?: boolean
  headers: Record<string, string>
  body: Blob
  signal: AbortSignal
  /** Bytes of the body sent. */
  onProgress(sent: number): void
}

/**
 * Sends a body with progress reports: by `XMLHttpRequest`, because `fetch` has none.
 * @throws ApiError for a response outside 2xx; status 0 for a lost connection or an abort
 */
export async function sendXhr(sending: Sending): Promise<Headers> {
  const token = sending.auth === false ? null : currentToken()
  const answer = await request(sending, token)
  const headers = new Headers()
  for (const name of ['X-Renew-Token', 'X-Error-Code', 'Upload-Offset', 'X-Change', 'X-Kept']) {
    const value = answer.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  if (token) await settleSession({ status: answer.status, headers }, token)
  if (answer.status >= 200 && answer.status < 300) return headers
  const code = headers.get('X-Error-Code') ?? ''
  if (reportHookFailure(code)) return headers
  const text = answer.responseText.trim() || `${answer.status} ${answer.statusText}`.trim()
  throw new ApiError(answer.status, text, code)
}

function request(sending: Sending, token: string | null): Promise<XMLHttpRequest> {
  const { method, url, headers, body, signal, onProgress } = sending
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    const fail = (message: string) => () => reject(new ApiError(0, message))
    let stalled = setTimeout(abort, STALLED)
    xhr.upload.onprogress = event => {
      clearTimeout(stalled)
      stalled = setTimeout(abort, STALLED)
      onProgress(event.loaded)
    }
    xhr.onload = () => resolve(xhr)
    xhr.onerror = fail('000 No connection')
    xhr.onabort = fail('001 Connection aborted')
    xhr.onloadend = () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', abort)
    }
    xhr.open(method, url)
    if (token) xhr.setRequestHeader('X-Auth', token)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    signal.addEventListener('abort', abort, { once: true })
    xhr.send(body)
  })
}
