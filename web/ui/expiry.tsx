import { formatDate, formatRelative } from '../lib/i18n/format.ts'
import { localeTag, t } from '../lib/i18n/index.ts'
import { relativeFormat } from '../lib/i18n/intl.ts'

const SECONDS_A_YEAR = 31_557_600

export interface ExpiryProps {
  /** Seconds since the epoch; 0 for never (http-api 10.1). */
  expire: number
  /** Formats the remaining time, such as "in 3 hours", as a sentence. */
  sentence?: (when: string) => string
}

/** Expiry of a share link: "Permanent", or the remaining time with the exact one as tooltip. */
export function Expiry({ expire, sentence = when => when }: ExpiryProps) {
  if (expire === 0) return <span>{t('shares.permanent')}</span>
  const when = expire * 1000
  const exact = formatDate(when)
  // The API allows expiry times beyond the range of `Date`.
  if (exact === '') return <span>{sentence(formatYears(expire - Date.now() / 1000))}</span>
  return (
    <time dateTime={new Date(when).toISOString()} title={exact}>
      {sentence(formatRelative(when))}
    </time>
  )
}

/** @param seconds from now */
export function formatYears(seconds: number): string {
  return relativeFormat(localeTag(), {}).format(Math.trunc(seconds / SECONDS_A_YEAR), 'year')
}
