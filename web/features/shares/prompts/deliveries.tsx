import { useState } from 'react'
import type { Delivery, ShareLink } from '../../../../shared/api/shares.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { formatBytes, formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from '../deliveries.module.css'
import { deliveriesQuery } from '../deliveries.ts'

interface DeliveriesPromptProps {
  link: Pick<ShareLink, 'hash' | 'label' | 'path'>
  /** Opens the prompt to return to, if any. */
  back?: () => void
}

/** What arrived by a file request, the newest first. */
export default function DeliveriesPrompt({ link, back: leave = closePrompt }: DeliveriesPromptProps) {
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined])
  return (
    <Dialog
      wide
      title={t('links.deliveries')}
      description={<bdi>{link.label ?? shownName(link.path)}</bdi>}
      onClose={leave}
      footer={<Button onClick={leave}>{t('common.close')}</Button>}
    >
      {pages.map((before, index) => (
        <Page
          key={before ?? ''}
          hash={link.hash}
          before={before}
          onMore={index === pages.length - 1 ? next => setPages([...pages, next]) : undefined}
        />
      ))}
    </Dialog>
  )
}

interface PageProps {
  hash: string
  before: string | undefined
  /** Shows the page after the last one. */
  onMore: ((next: string) => void) | undefined
}

function Page({ hash, before, onMore }: PageProps) {
  const { data, error, refetch } = useQuery(deliveriesQuery(hash, before))
  if (!data && error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  const { deliveries, next } = data
  if (deliveries.length === 0) return <p className={styles.empty}>{t('links.received', { count: 0 })}</p>
  return (
    <>
      <ul className={styles.deliveries}>
        {deliveries.map(delivery => (
          <Row key={`${delivery.time} ${delivery.name}`} delivery={delivery} />
        ))}
      </ul>
      {next !== undefined && onMore && (
        <Button kind="quiet" onClick={() => onMore(next)}>
          {t('uploads.expand')}
        </Button>
      )}
    </>
  )
}

function Row({ delivery: { name, given, sender, note, size, time } }: { delivery: Delivery }) {
  return (
    <li className={styles.delivery}>
      <p className={styles.name}>
        <bdi>{shownName(name || given)}</bdi>
      </p>
      <p className={styles.facts}>
        <span>
          <bdi>{sender || t('links.unnamed')}</bdi>
        </span>
        <span>{formatBytes(size)}</span>
        <time dateTime={time} title={formatDate(time)}>
          {formatRelative(time)}
        </time>
        {name !== '' && name !== given && (
          <span>
            <bdi>{t('links.sentAs', { name: shownName(given) })}</bdi>
          </span>
        )}
      </p>
      {note !== '' && (
        <p className={styles.note} dir="auto">
          {note}
        </p>
      )}
    </li>
  )
}
