import type { LinkVisits, ShareLink } from '../../../../shared/api/shares.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { LISTED_VISITS } from '../../../../shared/limits.ts'
import { formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from '../deliveries.module.css'
import { visitsQuery } from '../deliveries.ts'

interface VisitsPromptProps {
  link: Pick<ShareLink, 'hash' | 'label' | 'path'>
  /** Opens the prompt to return to, if any. */
  back?: () => void
}

/** When a link was opened and downloaded from, the newest first. */
export default function VisitsPrompt({ link, back: leave = closePrompt }: VisitsPromptProps) {
  const { data, error, refetch } = useQuery(visitsQuery(link.hash))
  return (
    <Dialog
      title={t('links.visits')}
      description={<bdi>{link.label ?? shownName(link.path)}</bdi>}
      onClose={leave}
      footer={<Button onClick={leave}>{t('common.close')}</Button>}
    >
      {!data && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} onRetry={() => void refetch()} />}
      {data && <Visits visits={data} />}
    </Dialog>
  )
}

function Visits({ visits }: { visits: LinkVisits }) {
  if (visits.length === 0) return <p className={styles.empty}>{t('links.visitsNone')}</p>
  return (
    <>
      <ul className={styles.deliveries}>
        {visits.map(({ time, what, path }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list is never reordered
          <li key={index} className={styles.delivery}>
            <p className={styles.facts}>
              <strong>{t(what === 'view' ? 'links.visitView' : 'links.visitDownload')}</strong>
              <time dateTime={time} title={formatDate(time)}>
                {formatRelative(time)}
              </time>
            </p>
            {path !== '/' && (
              <p className={styles.name}>
                <bdi>{shownName(path)}</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
      {visits.length >= LISTED_VISITS && (
        <p className={styles.empty}>{t('links.visitsKept', { count: LISTED_VISITS })}</p>
      )}
    </>
  )
}
