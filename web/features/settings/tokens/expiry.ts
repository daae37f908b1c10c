import { MAX_ADMIN_TOKEN_DAYS } from '../../../../shared/api/tokens.ts'
import { pageConfig } from '../../../lib/config.ts'

/** Days that are offered. */
const OFFERED = [7, 30, 90, 365]
const DAY = 86_400_000

/** The longest life of a new token in days; infinite where the server sets no limit. */
export function mostDays(isAdmin: boolean): number {
  const most = pageConfig.TokenDays === 0 ? Number.POSITIVE_INFINITY : pageConfig.TokenDays
  return isAdmin ? Math.min(most, MAX_ADMIN_TOKEN_DAYS) : most
}

/** Lives to choose from, in days; infinite means no end. */
export function offeredDays(most: number): number[] {
  return [...new Set([...OFFERED.filter(days => days < most), most])]
}

/** The time after so many days, as in the API. */
export const timeAfter = (days: number): string | null =>
  Number.isFinite(days) ? new Date(Date.now() + days * DAY).toISOString() : null
