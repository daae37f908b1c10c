import type { QuotaAnswer, UserQuota } from '../../../shared/api/quotas.ts'
import { formatBytes, formatNumber, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Progress } from '../../ui/progress.tsx'
import styles from './quota-card.module.css'

/** From which share of the quota on it is shown as nearly full. */
const WARN_FROM = 0.9

/** What a folder holds and may hold, and the group that gives the limit to a user. */
type Fill = QuotaAnswer & Pick<Partial<UserQuota>, 'group' | 'itemsGroup'>

/** What a folder with a quota holds. */
export function QuotaFill({ quota }: { quota: Fill }) {
  return (
    <>
      {quota.limit !== null && <BytesFill quota={quota} limit={quota.limit} />}
      {quota.items.limit !== null && <ItemsFill quota={quota} limit={quota.items.limit} />}
    </>
  )
}

/** Its bytes, as text and as a bar. */
function BytesFill({ quota: { used, reserved, exact, group }, limit }: { quota: Fill; limit: number }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  const text = t('nav.usage', { used: formatBytes(used), total: formatBytes(limit) })
  const facts = [
    group && t('groups.from', { name: group.name }),
    reserved > 0 && t('quota.reserved', { size: formatBytes(reserved) }),
    !exact && t('quota.counting'),
  ].filter(fact => typeof fact === 'string')
  return (
    <div className={styles.fill}>
      <p>{text}</p>
      <Progress
        role="meter"
        label={t('nav.usageLabel')}
        value={share}
        valueText={`${formatPercent(share)}, ${text}`}
        tone={share >= WARN_FROM ? 'warn' : 'accent'}
      />
      {facts.map(fact => (
        <p key={fact} className={styles.fact}>
          <bdi>{fact}</bdi>
        </p>
      ))}
    </div>
  )
}

/** How many files and folders it holds. */
function ItemsFill({ quota: { items, itemsGroup }, limit }: { quota: Fill; limit: number }) {
  const text = t('quota.itemsUsed', { used: formatNumber(items.used), total: formatNumber(limit) })
  return (
    <div className={styles.fill}>
      <p>{text}</p>
      {itemsGroup && (
        <p className={styles.fact}>
          <bdi>{t('groups.from', { name: itemsGroup.name })}</bdi>
        </p>
      )}
    </div>
  )
}
