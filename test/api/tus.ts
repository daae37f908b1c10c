import { type Answer, type Call, call, encode } from './client.ts'
import type { Instance } from './harness.ts'

/** The calls of a resumable upload, as one user. Paths are not encoded. */
export interface Tus {
  create(path: string, length: number | string | undefined, how?: Extra): Promise<Answer>
  head(path: string): Promise<Answer>
  patch(path: string, offset: number | string, body: Body, how?: Extra): Promise<Answer>
  cancel(path: string): Promise<Answer>
}

type Body = NonNullable<Call['body']>

export interface Extra {
  query?: string
  headers?: Record<string, string>
  body?: Body
}

export const PIECE = 'application/offset+octet-stream'

export function tusOf(instance: Pick<Instance, 'url'>, { token }: { token: string }): Tus {
  const at = (path: string) => `/api/tus${encode(path)}`
  return {
    create: (path, length, { query = '', headers = {}, body } = {}) =>
      call(instance, at(path) + query, {
        method: 'POST',
        token,
        headers: { ...(length === undefined ? {} : { 'Upload-Length': String(length) }), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    head: path => call(instance, at(path), { method: 'HEAD', token }),
    patch: (path, offset, body, { headers = {} } = {}) =>
      call(instance, at(path), {
        method: 'PATCH',
        token,
        headers: { 'Upload-Offset': String(offset), 'Content-Type': PIECE, ...headers },
        body,
      }),
    cancel: path => call(instance, at(path), { method: 'DELETE', token }),
  }
}

export const offsetOf = (answer: Answer) => answer.headers.get('upload-offset')
