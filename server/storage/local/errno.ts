import { constants } from 'node:os'
import { AppError, type ErrorCode } from '../../errors.ts'

/** What system errors mean to a caller, where the call site has no more precise meaning. */
const MEANINGS: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  EEXIST: 'exists',
  ENOTEMPTY: 'unavailable',
  EISDIR: 'is_a_folder',
  EACCES: 'server_refused',
  EPERM: 'server_refused',
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EFBIG: 'no_space',
  EROFS: 'read_only',
  ENAMETOOLONG: 'name_too_long',
  EILSEQ: 'bad_path',
  // Names that a foreign file system does not allow.
  EINVAL: 'bad_path',
  ELOOP: 'outside_scope',
  EXDEV: 'unsupported',
  EOPNOTSUPP: 'unsupported',
  ENXIO: 'special_file',
  EMFILE: 'unavailable',
  // A folder with as many subfolders as its file system allows.
  EMLINK: 'unavailable',
  ENFILE: 'unavailable',
  EBUSY: 'unavailable',
  EIO: 'unavailable',
  ESTALE: 'unavailable',
  ETIMEDOUT: 'unavailable',
  ENOTCONN: 'unavailable',
  ECONNABORTED: 'unavailable',
  EHOSTDOWN: 'unavailable',
  EREMOTEIO: 'unavailable',
}

/** Error codes for staged files that are missing, or whose folder is. */
const GONE: ReadonlySet<ErrorCode> = new Set(['not_found', 'not_a_folder', 'outside_scope'])

/** The system's error name (`ENOENT`), or `''` for anything that is not a system error. */
export function errnoOf(thrown: unknown): string {
  if (!(thrown instanceof Error) || !('code' in thrown)) return ''
  if (typeof thrown.code !== 'string') return ''
  // The runtime has no name for some errors, such as a reached quota.
  if (thrown.code.startsWith('Unknown') && 'errno' in thrown) return NAMES.get(Number(thrown.errno)) ?? thrown.code
  return thrown.code
}

const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [-number, name]))

/**
 * A system error as an `AppError`. The message is the code alone: the system's own text contains a server path, which
 * stays in `cause` for the log.
 * @param here meanings specific to the call site
 */
export function translated(thrown: unknown, here: Readonly<Record<string, ErrorCode>> = {}): AppError {
  if (thrown instanceof AppError) return thrown
  const errno = errnoOf(thrown)
  const code = here[errno] ?? MEANINGS[errno] ?? 'internal'
  return new AppError(code, code, { cause: thrown })
}

/** Runs system calls and translates what they throw. */
export async function translating<T>(act: () => Promise<T>, here?: Readonly<Record<string, ErrorCode>>): Promise<T> {
  try {
    return await act()
  } catch (thrown) {
    throw translated(thrown, here)
  }
}

/** A held staged object, or `undefined` when it or its folder is missing. */
export async function unlessGone<T>(held: Promise<T>): Promise<T | undefined> {
  try {
    return await held
  } catch (thrown) {
    if (GONE.has(translated(thrown).code)) return undefined
    throw thrown
  }
}

/** An error as the system would throw it, for objects that turn out to be missing although a call succeeded. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** That nothing is there. Callers ask often, so it has no stack, which would be most of its cost. */
export function missingError(): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return systemError('ENOENT')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
