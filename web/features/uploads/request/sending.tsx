import { nameOf } from '../../../../shared/path.ts'
import { formatBytes, formatFacts, formatNumber, formatPercent } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { RotateCw, X } from '../../../ui/icons.ts'
import { Progress } from '../../../ui/progress.tsx'
import { FileName } from '../../files/listing/cells.tsx'
import { dismissAll } from '../dismiss.ts'
import { percentOf, type UploadJob } from '../job.ts'
import type { UploadQueue } from '../queue.ts'
import { type Deliveries, useQueue } from './deliveries.ts'
import { failureText } from './failure-text.ts'
import styles from './request.module.css'

/** Files shown at a time; the others follow. */
const SHOWN = 50

/** What is being sent, and what could not be. */
export function Sending({ deliveries }: { deliveries: Deliveries }) {
  const { queue } = deliveries
  const { jobs, totals, paused } = useQueue(deliveries)
  const running = totals.active + totals.queued > 0
  const percent = percentOf(totals) / 100
  const ordered = jobs.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
  return (
    <section className={styles.form} aria-label={t('uploads.region')}>
      <p role={running ? undefined : 'alert'}>
        {running
          ? t('uploads.progress', {
              done: formatNumber(totals.done),
              total: formatNumber(totals.total),
              percent: formatPercent(percent),
            })
          : t('uploads.failedCount', { count: totals.failed })}
      </p>
      <Progress label={t('uploads.region')} value={percent} tone={totals.failed > 0 ? 'warn' : 'accent'} />
      {paused === 'offline' && <p className={styles.paused}>{t('uploads.pausedOffline')}</p>}
      <ul className={styles.files}>
        {ordered.slice(0, SHOWN).map(job => (
          <SendingFile key={job.id} job={job} queue={queue} />
        ))}
      </ul>
      <div className={styles.actions}>
        {!running && jobs.some(mayRetry) && (
          <Button kind="primary" onClick={() => queue.retryAll()}>
            {t('uploads.retryAll')}
          </Button>
        )}
        <Button onClick={() => dismissAll(queue)}>{t(running ? 'uploads.cancelAll' : 'uploads.dismiss')}</Button>
      </div>
    </section>
  )
}

/** Another attempt changes nothing about a name or a size. */
const mayRetry = ({ state, failure }: UploadJob) =>
  state === 'failed' && failure?.reason !== 'badName' && failure?.reason !== 'tooLarge'

function SendingFile({ job, queue }: { job: UploadJob; queue: UploadQueue }) {
  const name = job.file?.name ?? nameOf(job.path)
  const sent = t('jobs.bytes', { done: formatBytes(job.sent), total: formatBytes(job.size) })
  const state = t(`uploads.state.${job.state}`)
  return (
    <li className={styles.file} data-state={job.state}>
      <div className={styles.what}>
        <FileName name={name} />
        <p className={styles.state}>
          {job.failure ? failureText(job.failure) : job.sent > 0 ? sent : formatFacts([state, formatBytes(job.size)])}
        </p>
      </div>
      {mayRetry(job) && (
        <IconButton label={t('uploads.retry', { name })} onClick={() => queue.retry(job.id)}>
          <RotateCw size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton label={t('uploads.cancel', { name })} onClick={() => queue.cancel(job.id)}>
        <X size={16} aria-hidden />
      </IconButton>
    </li>
  )
}
