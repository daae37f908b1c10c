import { AppError } from '../../errors.ts'
import { S3Error } from './s3-errors.ts'

/** Configuration problems by the store's error code, as messages for the console. */
const OBSTACLES: Readonly<Record<string, (option: string) => string>> = {
  NoSuchBucket: option => `There is no such bucket. Make it, or name another with ${option}.`,
  InvalidAccessKeyId: () => 'It does not know this access key. Look at AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: () => 'The secret key is wrong. Look at AWS_SECRET_ACCESS_KEY.',
  AccessDenied: () =>
    'These credentials may not look into it. Look at AWS_ACCESS_KEY_ID and at the rights of that key.',
  ExpiredToken: () => 'These credentials have expired.',
  RequestTimeTooSkewed: () => 'The clocks of this machine and of the store do not agree.',
  AuthorizationHeaderMalformed: option => `It is in another region. Add ?region=… to ${option}.`,
  PermanentRedirect: option => `It is in another region. Add ?region=… to ${option}.`,
}

const wordOf = (thrown: unknown) =>
  (thrown instanceof AppError && thrown.cause instanceof S3Error && thrown.cause.word) || ''

/** Whether only a change of the settings helps, not a retry. */
export const isLasting = (thrown: unknown): boolean => OBSTACLES[wordOf(thrown)] !== undefined

/** Why a store cannot be used, for the console. @param option the setting that names it */
export function cannotUse(address: string, thrown: unknown, option: string): unknown {
  if (!(thrown instanceof AppError)) return thrown
  const { cause } = thrown
  const word = wordOf(thrown)
  const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : thrown.code
  const why = OBSTACLES[word]?.(option) ?? (word === '' ? `It cannot be reached (${reason}).` : `It says ${word}.`)
  return new AppError('unavailable', `The store ${address} cannot be used. ${why}`, { cause: thrown })
}
