import type { LinkPolicy } from '../../../shared/api/access-settings.ts'
import type { LinkKind } from '../../../shared/api/shares.ts'
import { AppError } from '../../errors.ts'

const DAY = 86_400
/** Seconds by which an end may be later: clients round up. */
const SLACK = 60

/** What a new link has, or a change gives it; what is missing stays as it is. */
export interface PolicedLink {
  /** Of a new link. */
  purpose?: LinkKind
  /** Whether it has a password afterwards, where that changes. */
  isLocked?: boolean
  /** Seconds until it ends; 0 for never. */
  lifetime?: number
  /** Whether it gets a name in its address. */
  isNamed?: boolean
}

/** @throws AppError `bad_request` for what the administrators do not allow, with its field */
export function demandPolicy(
  { kinds, password, maxDays, slugs }: LinkPolicy,
  { purpose, isLocked, lifetime, isNamed = false }: PolicedLink,
): void {
  if (purpose !== undefined && !kinds.includes(purpose)) throw new AppError('bad_request', 'kind: is not allowed here')
  if (isLocked === false && password === 'required') throw new AppError('bad_request', 'password: is required here')
  const isLong = lifetime !== undefined && maxDays !== 0 && (lifetime === 0 || lifetime > maxDays * DAY + SLACK)
  if (isLong) throw new AppError('bad_request', `expires: must be within ${maxDays} days here`)
  if (isNamed && slugs === 'off') throw new AppError('bad_request', 'slug: is not allowed here')
}
