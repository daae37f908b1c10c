import { AppError } from '../errors.ts'

/**
 * The end of something that a request gives. @param expires RFC 3339; null for no end
 * @returns milliseconds since the epoch @throws AppError `bad_request` for a time that is over, or is none
 */
export function futureTime(expires: string | null): number | null {
  if (expires === null) return null
  const time = /^\d{4}-\d\d-\d\dT/.test(expires) ? Date.parse(expires) : Number.NaN
  if (!(time > Date.now())) throw new AppError('bad_request', 'expires: must be a time in the future')
  return time
}
