import type { Content } from './compose.ts'
import type { Kind } from './new-mail.ts'

/** @param tag the language of the mail, for its numbers */
export function quotaContent({ used, limit, place }: Kind['quota.warning'], user: string, tag: string): Content {
  const percent = Math.floor((used * 100) / limit) / 100
  const values = {
    user,
    percent: new Intl.NumberFormat(tag, { style: 'percent' }).format(percent),
    used: sizeIn(tag, used),
    limit: sizeIn(tag, limit),
  }
  if (place !== undefined)
    return { subject: 'placeSubject', before: ['placeText'], after: ['uploadedOff'], values: { ...values, place } }
  return { subject: 'quotaSubject', before: ['quotaText'], after: ['uploadedOff'], values }
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const KIB = 1024

/** A size in the units of the interface, with at most one decimal. */
function sizeIn(tag: string, bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }).format(bytes / KIB ** step)
  return `${number}\u00a0${UNITS[step]}`
}
