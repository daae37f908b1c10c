import { AppError } from '../../../errors.ts'

/** What is said of a file that is no sound database of the kind that is read here. */
export function damaged(what: string): AppError {
  return new AppError('bad_request', `The database is corrupt: ${what}. Restore it from a backup, or copy it again.`)
}
