import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { localeTag } from '../../../../lib/i18n/index.ts'
import { dateFormat } from '../../../../lib/i18n/intl.ts'

/** Files of one month that follow each other: from one to before another. */
export interface Month {
  from: number
  to: number
  year: number
  /** From 0. */
  month: number
}

/**
 * Divides files, in the order of their dates, into months of the local calendar. A file without a date belongs to those
 * before it.
 * @param dateOf milliseconds since the epoch, or NaN
 */
export function monthsOf<T extends Pick<ResourceItem, 'name' | 'modified'>>(
  files: readonly T[],
  dateOf: (file: T) => number,
): Month[] {
  const months: Month[] = []
  for (const [index, file] of files.entries()) {
    const date = new Date(dateOf(file))
    const last = months.at(-1)
    const [year, month] = [date.getFullYear(), date.getMonth()]
    const goesOn = last && (Number.isNaN(year) || (last.year === year && last.month === month))
    if (goesOn) last.to = index + 1
    else if (!Number.isNaN(year)) months.push({ from: last ? index : 0, to: index + 1, year, month })
  }
  return months
}

/** `May 2024`. */
export function monthName({ year, month }: Month, tag = localeTag()): string {
  return dateFormat(tag, { month: 'long', year: 'numeric' }).format(new Date(year, month))
}
