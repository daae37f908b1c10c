import { isCommonPassword } from '../../../shared/common-passwords.ts'
import { MAX_PASSWORD_BYTES } from '../../../shared/limits.ts'
import { AppError } from '../../errors.ts'

/**
 * Validates a new password (http-api 11): its length in bytes, and that it is not a common one. Clients compare these
 * texts.
 * @param minimum bytes
 * @throws AppError `bad_request` with the reason
 */
export function checkPassword(password: string, minimum: number): void {
  const bytes = Buffer.byteLength(password)
  if (bytes > MAX_PASSWORD_BYTES) {
    throw new AppError('bad_request', `password is too long, maximum length is ${MAX_PASSWORD_BYTES}`)
  }
  if (bytes < minimum) throw new AppError('bad_request', `password is too short, minimum length is ${minimum}`)
  if (isCommonPassword(password)) throw new AppError('bad_request', 'password is too easy')
}
