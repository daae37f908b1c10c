import { isShareCount, MAX_SHARE_DURATION, SHARE_UNITS } from '../../../shared/api/shares.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { localeTag, type MessageKey, t } from '../../lib/i18n/index.ts'
import { dateFormat, relativeFormat } from '../../lib/i18n/intl.ts'
import { formatYears } from '../../ui/expiry.tsx'

export type ShareUnit = keyof typeof SHARE_UNITS

/** Expiry in the form of the API: `expires` is a whole number of units, `''` for never. */
export interface LinkExpiry {
  expires: string
  unit: ShareUnit
}

/** State of the form: a number of units, or a time. */
export interface ExpiryInput {
  by: 'duration' | 'date'
  /** As entered. */
  count: string
  unit: ShareUnit
  /** Local date and time in the format of `datetime-local`; `''` while incomplete. */
  date: string
}

export const NEVER: ExpiryInput = { by: 'duration', count: '', unit: 'hours', date: '' }

/** The error of an expiry. */
export type ExpiryProblem = MessageKey & ('shares.durationWrong' | 'shares.dateMissing' | 'shares.datePast')

/** Validates the expiry; returns it, or the error. @param now milliseconds since the epoch */
export function parseExpiry({ by, count, unit, date }: ExpiryInput, now: number): LinkExpiry | ExpiryProblem {
  if (by === 'date') return expiryUntil(date, now)
  const typed = count.trim()
  if (typed !== '' && !isShareCount(typed)) return 'shares.durationWrong'
  // An empty field, or zero, makes a permanent link.
  return { expires: Number(typed) === 0 ? '' : String(Number(typed)), unit }
}

function expiryUntil(date: string, now: number): LinkExpiry | ExpiryProblem {
  const end = new Date(date).getTime()
  if (Number.isNaN(end)) return 'shares.dateMissing'
  const seconds = Math.ceil((end - now) / 1000)
  if (seconds <= 0) return 'shares.datePast'
  return seconds <= MAX_SHARE_DURATION
    ? { expires: String(seconds), unit: 'seconds' }
    : { expires: String(Math.ceil(seconds / SHARE_UNITS.minutes)), unit: 'minutes' }
}

/**
 * Summary of an expiry, before the link is created: "Expires tomorrow 14:05", "Permanent link". @param now as for the
 * validation
 */
export function describeExpiry({ expires, unit }: LinkExpiry, now: number): string {
  if (expires === '') return t('shares.permanentLink')
  const seconds = Number(expires) * SHARE_UNITS[unit]
  const when = formatMoment(now + seconds * 1000, now)
  // The API allows expiry times beyond the range of `Date`.
  return t('shares.expires', { when: when || formatYears(seconds) })
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
