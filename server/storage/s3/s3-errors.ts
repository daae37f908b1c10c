import { AppError, type ErrorCode } from '../../errors.ts'

/** What a store says when it does not do something: its own word for it, and a status. */
export class Refusal extends Error {
  readonly word: string
  readonly status: number
  constructor(word: string, status: number) {
    super(`the store refused with ${status} ${word}`)
    this.name = 'Refusal'
    this.word = word
    this.status = status
  }
}

/** Milliseconds after which somebody who found the store away may come back. */
const TRY_AGAIN = 5000

/** The words that say more than their status. */
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
  // In an archive of the store, from which it has to be fetched first.
  InvalidObjectState: 'forbidden',
  KeyTooLongError: 'name_too_long',
  InvalidObjectName: 'name_too_long',
  ConditionalRequestConflict: 'precondition_failed',
}

/** Whom the store refuses is the server, never the one who asked it: they may come back once that is put right. */
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

/** A refusal in our own words. */
export function refused(word: string, status: number): AppError {
  // Where only the head was asked for there is no word.
  const isMute = status === 400 && word === ''
  const code = WORDS[word] ?? STATUSES[status] ?? (status >= 500 || isMute ? 'unavailable' : 'internal')
  return appError(code, new Refusal(word, status))
}

/** What kept a store from answering at all. */
export function unanswered(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : appError('unavailable', thrown)
}

function appError(code: ErrorCode, cause: unknown): AppError {
  return new AppError(code, code, { cause, ...(code === 'unavailable' && { wait: TRY_AGAIN }) })
}

/** Whether it is worth asking again at once. */
export function isPassing({ code, cause }: AppError): boolean {
  if (code !== 'unavailable') return false
  if (!(cause instanceof Refusal)) return !(cause instanceof Error && cause.name === 'TimeoutError')
  return cause.status >= 500 || cause.status === 429 || cause.word === 'OperationAborted'
}

/** The result, or nothing when there is no such thing. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
    throw thrown
  }
}
