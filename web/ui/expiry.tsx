import { formatDate, formatFacts, formatRelative } from '../lib/i18n/format.ts'
import { localeTag, t } from '../lib/i18n/index.ts'
import { relativeFormat } from '../lib/i18n/intl.ts'

const SECONDS_A_YEAR = 31_557_600

export interface ExpiryProps {
  /** Seconds since the epoch; 0 for never (http-api 10.1). */
  expire: number
  /** Formats the remaining time, such as "in 3 hours", as a sentence. */
  sentence?: (when: string) => string
  /** Whether the exact time is shown, too. */
  withDate?: boolean
}

/** Expiry of a share link: "Permanent", or the remaining time with the exact one as tooltip. */
export function Expiry({ expire, sentence = when => when, withDate = false }: ExpiryProps) {
  if (expire === 0) return <span>{t('shares.permanent')}</span>
  const when = expire * 1000
  const exact = formatDate(when)
  // The API allows expiry times beyond the range of `Date`.
  if (exact === '') return <span>{sentence(formatYears(expire - Date.now() / 1000))}</span>
  const text = sentence(formatRelative(when))
  return (
    <time dateTime={new Date(when).toISOString()} title={exact}>
      {withDate ? formatFacts([text, exact]) : text}
    </time>
  )
}

/** @param seconds from now */
export function formatYears(seconds: number): string {
  return relativeFormat(localeTag(), {}).format(Math.trunc(seconds / SECONDS_A_YEAR), 'year')
}
