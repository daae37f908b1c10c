import { AppError, type ErrorCode } from '../../errors.ts'

/** What the system's errors mean to a caller, where the place of the call says nothing more precise. */
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
  // Names that a disk of another system cannot have.
  EINVAL: 'bad_path',
  ELOOP: 'outside_scope',
  EXDEV: 'unsupported',
  EOPNOTSUPP: 'unsupported',
  ENXIO: 'special_file',
  EMFILE: 'unavailable',
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

/** What is told of something unfinished that is gone, or whose folder is. */
const GONE: ReadonlySet<ErrorCode> = new Set(['not_found', 'not_a_folder', 'outside_scope'])

/** The system's name of an error (`ENOENT`), or `''` for anything that is not a system error. */
export function errnoOf(thrown: unknown): string {
  if (!(thrown instanceof Error) || !('code' in thrown)) return ''
  return typeof thrown.code === 'string' ? thrown.code : ''
}

/**
 * A system error as an `AppError`. The message is the code alone: the system's own text holds a server path, which
 * stays in `cause` for the log.
 * @param here meanings that differ at the place of the call
 */
export function translated(thrown: unknown, here: Readonly<Record<string, ErrorCode>> = {}): AppError {
  if (thrown instanceof AppError) return thrown
  const errno = errnoOf(thrown)
  const code = here[errno] ?? MEANINGS[errno] ?? 'internal'
  return new AppError(code, code, { cause: thrown })
}

/** Runs one or more system calls and translates what they throw. */
export async function translating<T>(act: () => Promise<T>, here?: Readonly<Record<string, ErrorCode>>): Promise<T> {
  try {
    return await act()
  } catch (thrown) {
    throw translated(thrown, here)
  }
}

/** Something unfinished that is held, or nothing when it is gone, perhaps with the folder it was in. */
export async function unlessGone<T>(held: Promise<T>): Promise<T | undefined> {
  try {
    return await held
  } catch (thrown) {
    if (GONE.has(translated(thrown).code)) return undefined
    throw thrown
  }
}

/** An error as the system would throw it, for things that turn out to be gone although a call succeeded. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
