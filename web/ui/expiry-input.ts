import { formatDate, localMinute } from '../lib/i18n/format.ts'
import { localeTag, type MessageKey, t } from '../lib/i18n/index.ts'
import { dateFormat, relativeFormat } from '../lib/i18n/intl.ts'
import { formatYears } from './expiry.tsx'

/** Days after which a link ends, on offer. */
export const EXPIRY_DAYS = [1, 7, 30] as const

/** Those within a limit; all of them with 0. */
export const expiryDays = (mostDays: number) => EXPIRY_DAYS.filter(days => mostDays === 0 || days <= mostDays)

/** State of the form: when a link ends. `same` leaves an existing link as it is. */
export interface ExpiryInput {
  choice: 'same' | 'never' | 'date' | (typeof EXPIRY_DAYS)[number]
  /** Local date and time in the format of `datetime-local`; `''` while incomplete. */
  date: string
}

export const NEVER: ExpiryInput = { choice: 'never', date: '' }

/** What a form begins with: never, or the longest time on offer within a limit. */
export const longestExpiry = (mostDays: number): ExpiryInput =>
  mostDays === 0 ? NEVER : { choice: expiryDays(mostDays).at(-1) ?? 'date', date: '' }

/** Days until the end that the field of the date begins with. */
const SUGGESTED_DAYS = 7

/**
 * What the field of the date begins with: the last minute of a day, so that only the day remains to be chosen.
 * @param now milliseconds since the epoch
 */
export function suggestedEnd(now: number): string {
  const day = new Date(now)
  day.setDate(day.getDate() + SUGGESTED_DAYS)
  return localMinute(day.setHours(23, 59, 0, 0))
}

/** The error of an expiry. */
export type ExpiryProblem = MessageKey & ('shares.dateMissing' | 'shares.datePast')

/**
 * Validates the expiry. @param now milliseconds since the epoch @returns seconds since the epoch, 0 for never, or the
 *   error
 */
export function parseExpiry({ choice, date }: ExpiryInput, now: number, same = 0): number | ExpiryProblem {
  if (choice === 'same') return same
  if (choice === 'never') return 0
  if (choice !== 'date') return Math.ceil(now / 1000) + choice * 86_400
  const end = Math.ceil(new Date(date).getTime() / 1000)
  if (Number.isNaN(end)) return 'shares.dateMissing'
  return end * 1000 > now ? end : 'shares.datePast'
}

/**
 * Summary of an expiry, before the link is saved: "Expires tomorrow 14:05", "Permanent link". @param expire seconds since
 * the epoch; 0 for never @param now milliseconds
 */
export function describeExpiry(expire: number, now: number): string {
  if (expire === 0) return t('shares.permanentLink')
  const when = formatMoment(expire * 1000, now)
  // The API allows expiry times beyond the range of `Date`.
  return t('shares.expires', { when: when || formatYears(expire - now / 1000) })
}

/** A time relative to today and tomorrow; `''` beyond the range of `Date`. */
function formatMoment(when: number, now: number): string {
  const days = Math.round((midnightOf(when) - midnightOf(now)) / 86_400_000)
  if (days !== 0 && days !== 1) return formatDate(when)
  const tag = localeTag()
  const day = relativeFormat(tag, { numeric: 'auto' }).format(days, 'day')
  return t('shares.dayTime', { day, time: dateFormat(tag, { timeStyle: 'short' }).format(when) })
}

const midnightOf = (when: number) => new Date(when).setHours(0, 0, 0, 0)
