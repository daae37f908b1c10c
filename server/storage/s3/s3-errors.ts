import { AppError, type ErrorCode } from '../../errors.ts'

/** A store's error response: its error code, and a status. */
export class S3Error extends Error {
  readonly word: string
  readonly status: number
  constructor(word: string, status: number) {
    super(`the store refused with ${status} ${word}`)
    this.name = 'S3Error'
    this.word = word
    this.status = status
  }
}

/** Milliseconds after which a client may retry an unavailable store. */
const TRY_AGAIN = 5000

/** Error codes that are more precise than their status. */
const WORDS: Readonly<Record<string, ErrorCode>> = {
  NoSuchBucket: 'unavailable',
  InvalidAccessKeyId: 'unavailable',
  SignatureDoesNotMatch: 'unavailable',
  ExpiredToken: 'unavailable',
  InvalidToken: 'unavailable',
  RequestTimeTooSkewed: 'unavailable',
  RequestTimeout: 'unavailable',
  XAmzContentSHA256Mismatch: 'unavailable',
  BadDigest: 'unavailable',
  QuotaExceeded: 'no_space',
  XMinioStorageFull: 'no_space',
  EntityTooLarge: 'no_space',
  // Archived by the store, and must be restored first.
  InvalidObjectState: 'forbidden',
  KeyTooLongError: 'name_too_long',
  InvalidObjectName: 'name_too_long',
  ConditionalRequestConflict: 'precondition_failed',
}

/** A store refuses the server, not the user: a retry may succeed once the administrator has fixed that. */
const STATUSES: Readonly<Record<number, ErrorCode>> = {
  401: 'unavailable',
  403: 'unavailable',
  404: 'not_found',
  409: 'unavailable',
  412: 'precondition_failed',
  416: 'range_not_satisfiable',
  429: 'unavailable',
  501: 'unsupported',
  507: 'no_space',
}

/** A store's error as an `AppError`. */
export function refused(word: string, status: number): AppError {
  // Responses to HEAD requests have no error code.
  const isMute = status === 400 && word === ''
  const code = WORDS[word] ?? STATUSES[status] ?? (status >= 500 || isMute ? 'unavailable' : 'internal')
  return appError(code, new S3Error(word, status))
}

/** An error of the connection to a store. */
export function connectionError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : appError('unavailable', thrown)
}

function appError(code: ErrorCode, cause: unknown): AppError {
  return new AppError(code, code, { cause, ...(code === 'unavailable' && { wait: TRY_AGAIN }) })
}

/** Whether an immediate retry makes sense. */
export function isTransient({ code, cause }: AppError): boolean {
  if (code !== 'unavailable') return false
  if (!(cause instanceof S3Error)) return !(cause instanceof Error && cause.name === 'TimeoutError')
  return cause.status >= 500 || cause.status === 429 || cause.word === 'OperationAborted'
}

/** The result, or `undefined` for `not_found`. */
export async function unlessMissing<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
    throw thrown
  }
}
