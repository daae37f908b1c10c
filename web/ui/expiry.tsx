import { formatDate, formatRelative } from '../lib/i18n/format.ts'
import { localeTag, t } from '../lib/i18n/index.ts'
import { relativeFormat } from '../lib/i18n/intl.ts'

const SECONDS_A_YEAR = 31_557_600

/** When a link ends: "Permanent", or how long it still lasts with the exact time as tooltip. @param expire as on the wire */
export function Expiry({ expire }: { expire: number }) {
  if (expire === 0) return <span>{t('shares.permanent')}</span>
  const when = expire * 1000
  const exact = formatDate(when)
  // The wire allows lives that no calendar reaches.
  if (exact === '') return <span>{formatYears(expire - Date.now() / 1000)}</span>
  return (
    <time dateTime={new Date(when).toISOString()} title={exact}>
      {formatRelative(when)}
    </time>
  )
}

/** @param seconds from now */
export function formatYears(seconds: number): string {
  return relativeFormat(localeTag(), {}).format(Math.trunc(seconds / SECONDS_A_YEAR), 'year')
}
