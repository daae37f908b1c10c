import type { ShareLink } from '../../../../shared/api/shares.ts'
import { formatDate, formatFacts, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'

/** How often a share link was used, and when last. */
export function LinkUse({ used: { views, downloads, last } }: { used: NonNullable<ShareLink['used']> }) {
  const facts = [
    t('shares.opened', { count: views }),
    ...(downloads > 0 ? [t('shares.downloads', { count: downloads })] : []),
  ]
  return (
    <span>
      {formatFacts(facts)} <time dateTime={last} title={formatDate(last)}>{`(${formatRelative(last)})`}</time>
    </span>
  )
}
