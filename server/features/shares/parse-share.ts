import type { FastifyRequest } from 'fastify'
import { isShareCount, MAX_SHARE_DURATION, SHARE_UNITS, type ShareRequest } from '../../../shared/api/shares.ts'
import { MAX_PASSWORD_BYTES } from '../../../shared/limits.ts'
import { AppError } from '../../errors.ts'
import { queryOf } from '../../routing/route.ts'

/** The options of a new link. */
export interface ShareOptions {
  /** `''` for none. */
  password: string
  /** Seconds; 0 for no expiry. */
  lifetime: number
}

/**
 * Parses the options from the body or, where it does not set them, from the query (http-api 10.1).
 * @throws AppError `bad_request` for a lifetime that is not a whole number, or a password that is too long
 */
export function readShareOptions(request: FastifyRequest): ShareOptions {
  const body = request.body as ShareRequest | undefined
  const password = body?.password ?? ''
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw new AppError('bad_request', `password: must be no longer than ${MAX_PASSWORD_BYTES} bytes`)
  }
  const inBody = String(body?.expires ?? '')
  const count = inBody === '' ? (queryOf(request, 'expires') ?? '') : inBody
  const unit = body?.unit || (queryOf(request, 'unit') ?? '')
  return { password, lifetime: readLifetime(count, unit) }
}

/**
 * A lifetime in seconds. No number, or zero, means no expiry; an unknown unit means hours.
 * @throws AppError `bad_request`
 */
export function readLifetime(count: string, unit: string): number {
  if (count === '') return 0
  if (!isShareCount(count)) {
    throw new AppError('bad_request', `expires: must be a whole number up to ${MAX_SHARE_DURATION}`)
  }
  return Number(count) * secondsOf(unit)
}

function secondsOf(unit: string): number {
  const known = Object.entries(SHARE_UNITS).find(([name]) => name === unit)
  return known ? known[1] : SHARE_UNITS.hours
}
