import { localeTag } from '../../../lib/i18n/index.ts'
import { dateFormat } from '../../../lib/i18n/intl.ts'

/** Items by the day of a time, as a heading, in their order. @param timeOf RFC 3339 */
export function byDay<T>(items: readonly T[], timeOf: (item: T) => string, tag = localeTag()): [string, T[]][] {
  const format = dateFormat(tag, { dateStyle: 'full' })
  const days = new Map<string, T[]>()
  for (const item of items) {
    const day = format.format(new Date(timeOf(item)))
    const known = days.get(day)
    if (known) known.push(item)
    else days.set(day, [item])
  }
  return [...days]
}
