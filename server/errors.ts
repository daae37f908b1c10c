import { PathError } from '../shared/path.ts'

/**
 * Every expected error. Only `http/errors.ts` knows statuses and bodies; foreign errors (`ENOENT` and the like) are
 * translated into one of these where they enter.
 */
export const ERROR_CODES = [
  'bad_request',
  'bad_path',
  'name_too_long',
  'incomplete_body',
  'body_too_large',
  'unauthorized',
  'wrong_credentials',
  'token_scope',
  'confirm_first',
  'second_factor_required',
  'second_factor_setup',
  'identity_refused',
  'too_many_attempts',
  'forbidden',
  'outside_scope',
  'special_file',
  'no_home',
  'not_found',
  'limit_reached',
  'link_paused',
  'wrong_host',
  'method_not_allowed',
  'locked',
  'no_lock',
  'exists',
  'is_a_folder',
  'not_a_folder',
  'precondition_failed',
  'range_not_satisfiable',
  'wrong_media_type',
  'undecodable',
  'encrypted',
  'wrong_offset',
  'checksum_mismatch',
  'no_space',
  'quota_exceeded',
  'no_trash',
  'too_far',
  'gone',
  'changed_since',
  'read_only',
  'server_refused',
  'hook_refused',
  'hook_failed',
  'no_sandbox',
  'not_indexed',
  'unavailable',
  'provider_unavailable',
  'unsupported',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export interface AppErrorOptions extends ErrorOptions {
  /** Milliseconds after which the client may retry. */
  wait?: number
  /** Mount points that are in the way, as paths of the user's scope. */
  mounts?: readonly string[]
  /** What would have to be copied. */
  bytes?: number
  /** The id of the lock that refuses. */
  lock?: string
  /** Bytes that still fit into the folder of a quota. */
  left?: number
  /** Files and folders that still fit into it. */
  itemsLeft?: number
  /** The label of the directory that refuses, or cannot be reached. */
  provider?: string
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly wait: number | undefined
  readonly mounts: readonly string[] | undefined
  readonly bytes: number | undefined
  readonly lock: string | undefined
  readonly left: number | undefined
  readonly itemsLeft: number | undefined
  readonly provider: string | undefined
  /**
   * @param code one of the closed list
   * @param message for clients: no server path, no secret
   */
  constructor(code: ErrorCode, message: string = code, options?: AppErrorOptions) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    this.wait = options?.wait
    this.mounts = options?.mounts
    this.bytes = options?.bytes
    this.lock = options?.lock
    this.left = options?.left
    this.itemsLeft = options?.itemsLeft
    this.provider = options?.provider
  }
}

/** The `AppError` for a refused path (`shared/path.ts`). */
export function pathRefused(error: PathError): AppError {
  const long = error.problem === 'name-too-long' || error.problem === 'path-too-long'
  return new AppError(long ? 'name_too_long' : 'bad_path', error.message, { cause: error })
}

/** Any thrown value as an `AppError`; unknown ones become `internal` and keep their cause for the log. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof PathError) return pathRefused(thrown)
  return new AppError('internal', 'internal', { cause: thrown })
}
