import { isShareCount, MAX_SHARE_DURATION, SHARE_UNITS } from '../../../shared/api/shares.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { localeTag, type MessageKey, t } from '../../lib/i18n/index.ts'
import { dateFormat, relativeFormat } from '../../lib/i18n/intl.ts'
import { formatYears } from '../../ui/expiry.tsx'

export type ShareUnit = keyof typeof SHARE_UNITS

/** How long a link lasts, as the wire wants it: `expires` is a whole number of units, `''` for ever. */
export interface Life {
  expires: string
  unit: ShareUnit
}

/** What the form holds: a number of units, or the moment of the end. */
export interface LifeChoice {
  by: 'duration' | 'date'
  /** As typed. */
  count: string
  unit: ShareUnit
  /** Local date and time as a date-time field gives it; `''` while it is incomplete. */
  date: string
}

export const NO_END: LifeChoice = { by: 'duration', count: '', unit: 'hours', date: '' }

/** What is wrong with a choice. */
export type LifeProblem = MessageKey & ('shares.durationWrong' | 'shares.dateMissing' | 'shares.datePast')

/** The life somebody chose, or what is wrong with it. @param now milliseconds since the epoch */
export function lifeOf({ by, count, unit, date }: LifeChoice, now: number): Life | LifeProblem {
  if (by === 'date') return lifeUntil(date, now)
  const typed = count.trim()
  if (typed !== '' && !isShareCount(typed)) return 'shares.durationWrong'
  // Nothing, or zero, makes a permanent link.
  return { expires: Number(typed) === 0 ? '' : String(Number(typed)), unit }
}

function lifeUntil(date: string, now: number): Life | LifeProblem {
  const end = new Date(date).getTime()
  if (Number.isNaN(end)) return 'shares.dateMissing'
  const seconds = Math.ceil((end - now) / 1000)
  if (seconds <= 0) return 'shares.datePast'
  return seconds <= MAX_SHARE_DURATION
    ? { expires: String(seconds), unit: 'seconds' }
    : { expires: String(Math.ceil(seconds / SHARE_UNITS.minutes)), unit: 'minutes' }
}

/** What a life means, before the link is made: "Expires tomorrow 14:05", "Permanent link". @param now as for `lifeOf` */
export function describeLife({ expires, unit }: Life, now: number): string {
  if (expires === '') return t('shares.permanentLink')
  const seconds = Number(expires) * SHARE_UNITS[unit]
  const when = formatMoment(now + seconds * 1000, now)
  // The wire allows lives that no calendar reaches.
  return t('shares.expires', { when: when || formatYears(seconds) })
}

/** A moment as people say it, today and tomorrow by their names; `''` beyond the calendar. */
function formatMoment(when: number, now: number): string {
  const days = Math.round((midnightOf(when) - midnightOf(now)) / 86_400_000)
  if (days !== 0 && days !== 1) return formatDate(when)
  const tag = localeTag()
  const day = relativeFormat(tag, { numeric: 'auto' }).format(days, 'day')
  return t('shares.dayTime', { day, time: dateFormat(tag, { timeStyle: 'short' }).format(when) })
}

const midnightOf = (when: number) => new Date(when).setHours(0, 0, 0, 0)
