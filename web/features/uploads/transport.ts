import { encodePath, type FilePath } from '../../../shared/path.ts'
import { ApiError, api, apiUrl, settleSession } from '../../lib/api.ts'
import { tellHookFailure } from '../../lib/hook-failure.ts'
import { currentToken } from '../../lib/session.ts'

/** What the queue needs to send something. @throws ApiError; status 0 for a lost connection or an abort */
export interface Transport {
  sendFile(path: FilePath, file: File, options: SendOptions): Promise<void>
  makeFolder(path: FilePath, signal: AbortSignal): Promise<void>
}

export interface SendOptions {
  /** Whether an existing file may be replaced. */
  override: boolean
  signal: AbortSignal
  /** Bytes sent so far. */
  onProgress(sent: number): void
}

/** Address of `POST /api/resources{path}?override=` (contract 3.2). */
export function uploadUrl(path: FilePath, override: boolean): string {
  return apiUrl(`/api/resources${encodePath(path)}?override=${override}`)
}

/** The real thing: `XMLHttpRequest`, because `fetch` tells nothing about the progress of a body it sends. */
export const httpTransport: Transport = {
  async makeFolder(path, signal) {
    await api(`/api/resources${encodePath(path)}/?override=false`, { method: 'POST', signal })
  },
  sendFile,
}

async function sendFile(path: FilePath, file: File, options: SendOptions): Promise<void> {
  const token = currentToken()
  const answer = await request(uploadUrl(path, options.override), file, token, options)
  const headers = new Headers()
  for (const name of ['X-Renew-Token', 'X-Error-Code']) {
    const value = answer.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  if (token) await settleSession({ status: answer.status, headers }, token)
  if (answer.status >= 200 && answer.status < 300) return
  const code = headers.get('X-Error-Code') ?? ''
  if (tellHookFailure(code)) return
  const text = answer.responseText.trim() || `${answer.status} ${answer.statusText}`.trim()
  throw new ApiError(answer.status, text, code)
}

function request(url: string, file: File, token: string | null, options: SendOptions): Promise<XMLHttpRequest> {
  const { signal, onProgress } = options
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    const fail = (message: string) => () => reject(new ApiError(0, message))
    xhr.upload.onprogress = event => onProgress(event.loaded)
    xhr.onload = () => resolve(xhr)
    xhr.onerror = fail('000 No connection')
    xhr.onabort = fail('001 Connection aborted')
    xhr.onloadend = () => signal.removeEventListener('abort', abort)
    xhr.open('POST', url)
    if (token) xhr.setRequestHeader('X-Auth', token)
    xhr.setRequestHeader('Content-Type', file.type || 'application/octet-stream')
    signal.addEventListener('abort', abort, { once: true })
    xhr.send(file)
  })
}
