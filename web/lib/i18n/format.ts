import { LOCALES } from '../../../shared/locales.ts'
import { sizeUnits } from '../units.ts'
import { localeTag } from './index.ts'
import { dateFormat, listFormat, numberFormat, relativeFormat } from './intl.ts'
import { PSEUDO } from './pick.ts'

const STEPS_OF_BYTES = 'KMGTPE'
const RIGHT_TO_LEFT = new Set<string>([...LOCALES, PSEUDO].filter(({ dir }) => dir === 'rtl').map(({ tag }) => tag))

/**
 * A size in bytes as number and unit, for lists that render the unit lighter: `{ value: '12.4', unit: 'MiB' }`. The
 * units are those that the user has chosen.
 */
export function splitBytes(bytes: number, tag = localeTag()): { value: string; unit: string } {
  let value = Math.max(0, bytes)
  let step = 0
  const decimal = sizeUnits.store.get() === 'decimal'
  const kilo = decimal ? 1000 : 1024
  // Rounded first, so that 1023.96 KiB becomes 1 MiB and not 1,024 KiB.
  while (step < STEPS_OF_BYTES.length && (step === 0 ? value >= kilo : Math.round(value * 10) / 10 >= kilo)) {
    value /= kilo
    step += 1
  }
  return {
    value: numberFormat(tag, { maximumFractionDigits: step === 0 ? 0 : 1 }).format(value),
    unit: step === 0 ? 'B' : `${STEPS_OF_BYTES[step - 1]}${decimal ? 'B' : 'iB'}`,
  }
}

/**
 * A size in bytes with one decimal, as `splitBytes` gives it: `12.4 MiB`. The space does not break; in a right-to-left text the
 * size stays one run.
 */
export function formatBytes(bytes: number, tag = localeTag()): string {
  const { value, unit } = splitBytes(bytes, tag)
  return onePiece(`${value}\u00a0${unit}`, tag)
}

/** A speed factor: `1.5×`, also one run. */
export function formatTimes(factor: number, tag = localeTag()): string {
  return onePiece(`${formatNumber(factor, tag)}×`, tag)
}

const onePiece = (text: string, tag: string) => (RIGHT_TO_LEFT.has(tag) ? `\u2066${text}\u2069` : text)

export function formatNumber(value: number, tag = localeTag()): string {
  return numberFormat(tag, {}).format(value)
}

/**
 * @param share between 0 and 1; formatted without decimals
 */
export function formatPercent(share: number, tag = localeTag()): string {
  return numberFormat(tag, { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

/** `30 days`. */
export function formatDays(days: number, tag = localeTag()): string {
  return numberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

/** Date and time of day. @param when milliseconds since the epoch, or an RFC 3339 text; `''` when invalid */
export function formatDate(when: number | string, tag = localeTag()): string {
  const date = new Date(when)
  return Number.isNaN(date.getTime()) ? '' : dateFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** Time of day. Arguments as for `formatDate`. */
export function formatTime(when: number | string, tag = localeTag()): string {
  return dateFormat(tag, { timeStyle: 'short' }).format(new Date(when))
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How much of a unit is enough for a time ahead: what ends in 7 days has a little less left when it is shown. */
const NEARLY = 0.99

/** Relative time in the largest unit that fits: `3 days ago`; a time ahead is rounded. Arguments as for `formatDate`. */
export function formatRelative(when: number | string, now = Date.now(), tag = localeTag()): string {
  const time = new Date(when).getTime()
  if (Number.isNaN(time)) return ''
  const seconds = (time - now) / 1000
  const fits = (length: number) => (seconds > 0 ? seconds >= length * NEARLY : -seconds >= length)
  const [unit, size] = STEPS.find(([, length]) => fits(length)) ?? (['second', 1] as const)
  const count = seconds / size
  const whole = unit === 'second' ? 0 : seconds > 0 ? Math.round(count) : Math.trunc(count)
  return relativeFormat(tag, { numeric: 'auto' }).format(whole, unit)
}

/** `a, b, and c`. */
export function formatList(items: readonly string[], tag = localeTag()): string {
  return listFormat(tag, { type: 'conjunction' }).format(items)
}

/** `a, b, c`, for a list that is not complete. */
export function formatSome(items: readonly string[], tag = localeTag()): string {
  return listFormat(tag, { type: 'unit', style: 'short' }).format(items)
}

/** `a · b · c`, facts about one item; a line may end with a dot, but none begins with one. */
export const formatFacts = (facts: readonly string[]): string => facts.join('\u00A0· ')

/** A time in the format of `datetime-local` inputs, in local time. @param when milliseconds since the epoch */
export function localMinute(when: number): string {
  const offset = new Date(when).getTimezoneOffset() * 60_000
  return new Date(when - offset).toISOString().slice(0, 16)
}
