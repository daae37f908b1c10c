import type { UsageAnswer } from '../../../shared/api/resources.ts'
import { encodePath } from '../../../shared/path.ts'
import { actionById, canRun, runAction, useActionContext } from '../../lib/actions.ts'
import { apiJson } from '../../lib/api.ts'
import { formatBytes, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Progress } from '../../ui/progress.tsx'
import { noteLevel, WARN_FROM } from './quota-levels.ts'
import styles from './usage.module.css'

const STALE_AFTER = 60_000

/**
 * Disk usage of the storage that holds a folder, where the storage reports it, and a link to the folder's disk usage.
 * Its space is reserved until it has loaded.
 */
export default function Usage({ folder }: { folder: string }) {
  const encoded = encodePath(folder).replace(/\/$/, '')
  const { data } = useQuery({
    queryKey: ['usage', folder],
    async queryFn({ signal }) {
      const usage = await apiJson<UsageAnswer>(`/api/usage${encoded}/`, { signal })
      void noteLevel(usage).catch(() => {})
      return usage
    },
    staleTime: STALE_AFTER,
    refetchOnReconnect: true,
    placeholderData: previous => previous,
  })
  if (!data) return <div className={styles.usage} />
  if (data.total <= 0) {
    return (
      <div className={styles.usage}>
        <SizesButton />
      </div>
    )
  }
  const share = Math.min(1, data.used / data.total)
  const percent = formatPercent(Math.round(share * 100) / 100)
  const text = t('nav.usage', { used: formatBytes(data.used), total: formatBytes(data.total) })
  return (
    <div className={styles.usage}>
      <p className={styles.line}>
        <span>
          <span className={styles.what}>{t('nav.storage')}</span> <span>{text}</span>
        </span>
        <span className={styles.percent} data-warn={share >= WARN_FROM || undefined}>
          {percent}
        </span>
      </p>
      <Progress
        role="meter"
        label={t('nav.usageLabel')}
        value={share}
        valueText={`${percent}, ${text}`}
        tone={share >= WARN_FROM ? 'warn' : 'accent'}
      />
      <SizesButton />
    </div>
  )
}

/** Opens the disk usage, where that is available. */
function SizesButton() {
  const context = useActionContext()
  const action = actionById('sizes')
  if (!action?.visible(context)) return null
  return (
    <button
      type="button"
      className={styles.sizes}
      aria-disabled={!canRun(action, context) || undefined}
      onClick={() => runAction(action)}
    >
      {t(action.labelKey)}
    </button>
  )
}
