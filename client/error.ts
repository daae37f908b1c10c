import type { ErrorCode, Problem } from './types.gen.ts'

/** What a refusal carries besides its status and code. */
export interface Refusal {
  status: number
  code: ErrorCode | undefined
  /** The cause, where the server discloses it. */
  detail?: string | undefined
  /** Seconds after which to try again. */
  retryAfter?: number | undefined
  /** The id of the lock that refuses. */
  lock?: string | undefined
}

/** A response that is no success. */
export class FiligreeError extends Error {
  readonly status: number
  /** A stable code; undefined where something between client and server refused. */
  readonly code: ErrorCode | undefined
  readonly detail: string | undefined
  readonly retryAfter: number | undefined
  readonly lock: string | undefined

  constructor({ status, code, detail, retryAfter, lock }: Refusal) {
    super([status, code ?? 'refused', detail ? `(${detail})` : ''].filter(Boolean).join(' '))
    this.name = 'FiligreeError'
    this.status = status
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
    this.lock = lock
  }
}

/** The error of a response that is no success; its body is read. */
export async function errorOf(response: Response): Promise<FiligreeError> {
  const { status, headers } = response
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json')
  const problem = (isProblem ? await response.json().catch(() => ({})) : {}) as Partial<Problem>
  if (!isProblem) await response.body?.cancel()
  return new FiligreeError({
    status,
    code: (headers.get('x-error-code') as ErrorCode | null) ?? problem.code,
    detail: problem.detail,
    retryAfter: headers.has('retry-after') ? Number(headers.get('retry-after')) : undefined,
    lock: headers.get('x-lock') ?? undefined,
  })
}
