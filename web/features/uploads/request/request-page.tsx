import type { FileRequest } from '../../../../shared/api/shares.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useUnloadGuard } from '../../../lib/router.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTicketOf } from '../visitor/use-ticket.ts'
import { deliveriesOf, useQueue } from './deliveries.ts'
import styles from './request.module.css'
import { RequestForm } from './request-form.tsx'
import { Sending } from './sending.tsx'
import { Thanks } from './thanks.tsx'

interface RequestPageProps {
  hash: string
  /** Of a request with a password. */
  ticket: string | undefined
  title: string
  request: FileRequest
  /** Fetches the request again: its limits, and a new ticket. */
  onReload: () => Promise<unknown>
}

/** A file request, for visitors: choose, send, thanks. */
export default function RequestPage({ hash, ticket, title, request, onReload }: RequestPageProps) {
  const deliveries = deliveriesOf(hash)
  const { queue, visitor } = deliveries
  const { jobs, totals, paused } = useQueue(deliveries)
  const sent = useStore(deliveries.sent)
  const running = totals.active + totals.queued > 0
  useUnloadGuard(running)
  useTicketOf({ queue, visitor, ticket, onReload }, running, paused === 'session')
  return (
    <div className={styles.request}>
      <Head title={title} request={request} />
      {jobs.length > 0 ? (
        <Sending deliveries={deliveries} />
      ) : sent.length > 0 ? (
        <Thanks
          sent={sent}
          onMore={() => {
            deliveries.sent.set([])
            void onReload()
          }}
        />
      ) : isFull(request) ? (
        <p className={styles.full}>{t('links.full')}</p>
      ) : (
        <RequestForm deliveries={deliveries} request={request} />
      )}
    </div>
  )
}

const isFull = ({ itemsLeft, bytesLeft }: FileRequest) => itemsLeft === 0 || bytesLeft === 0

function Head({ title, request }: { title: string; request: FileRequest }) {
  const { note, itemsLeft, bytesLeft, maxFileBytes } = request
  const facts = [
    ...(itemsLeft ? [t('links.itemsLeft', { count: itemsLeft })] : []),
    ...(maxFileBytes === null ? [] : [t('links.fileLimit', { size: formatBytes(maxFileBytes) })]),
    ...(bytesLeft ? [t('links.bytesLeft', { size: formatBytes(bytesLeft) })] : []),
  ]
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>
        <bdi>{shownName(title)}</bdi>
      </h1>
      {note !== '' && (
        <p className={styles.note} dir="auto">
          {note}
        </p>
      )}
      {facts.length > 0 && (
        <ul className={styles.facts}>
          {facts.map(fact => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
    </header>
  )
}
