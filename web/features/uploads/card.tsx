import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { nameOf } from '../../../shared/path.ts'
import { type Activity, useActivity } from '../../lib/activity.ts'
import { announce } from '../../lib/announce.ts'
import { formatFacts, formatNumber, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { paceOf, Rates } from '../../lib/rate.ts'
import { useUnloadGuard } from '../../lib/router.tsx'
import { FoldingCard } from '../../ui/activity-card.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Pause, Play } from '../../ui/icons.ts'
import { Progress } from '../../ui/progress.tsx'
import { useConflictQuestions } from './conflicts.ts'
import { dismissAll } from './dismiss.ts'
import { type JobState, percentOf, type UploadJob } from './job.ts'
import styles from './panel.module.css'
import type { UploadSnapshot } from './queue.ts'
import { JobRow } from './row.tsx'
import { tallyText } from './tally-text.ts'
import type { Uploader } from './uploader.ts'

const ROW = 56

interface UploadCardProps {
  uploader: Uploader
  snapshot: UploadSnapshot
}

/** Asks about conflicts, keeps the page open while files are sent, and announces failures. */
export function useUploading({ uploader, snapshot: { jobs, totals } }: UploadCardProps): void {
  useConflictQuestions(uploader, jobs)
  useUnloadGuard(totals.active + totals.queued > 0)
  useFailureAnnouncer(uploader, jobs)
  useActivity('uploads', activityOf({ jobs, totals }))
}

function activityOf({ jobs, totals }: Pick<UploadSnapshot, 'jobs' | 'totals'>): Activity | undefined {
  return jobs.length > 0 ? { share: percentOf(totals) / 100, failed: totals.failed > 0 } : undefined
}

const PAUSES = {
  offline: 'uploads.pausedOffline',
  session: 'uploads.pausedSession',
  person: 'uploads.pausedByPerson',
} as const

/** The uploads in progress, with their errors and actions. */
export function UploadCard({ uploader, snapshot }: UploadCardProps) {
  const { queue } = uploader
  const { totals, jobs, paused } = snapshot
  const pace = usePace(snapshot)
  const percent = percentOf(totals) / 100
  const running = totals.active + totals.queued > 0
  const byPerson = paused === 'person'
  const progress = t('uploads.progress', {
    done: formatNumber(totals.done),
    total: formatNumber(totals.total),
    percent: formatPercent(percent),
  })
  return (
    <FoldingCard
      label={t('uploads.region')}
      title={
        <>
          <p>{!running && totals.failed > 0 ? tallyText(totals) : progress}</p>
          {pace && <p className={styles.pace}>{pace}</p>}
          {running && totals.failed > 0 && (
            <p className={styles.failed}>{t('uploads.failedCount', { count: totals.failed })}</p>
          )}
        </>
      }
      actions={
        running && (
          <IconButton
            label={t(byPerson ? 'uploads.resumeAll' : 'uploads.pauseAll')}
            onClick={() => (byPerson ? queue.resume() : queue.pauseAll('person'))}
          >
            {byPerson ? <Play size={18} aria-hidden /> : <Pause size={18} aria-hidden />}
          </IconButton>
        )
      }
      close={{ label: t(running ? 'uploads.cancelAll' : 'uploads.dismiss'), run: () => dismissAll(queue) }}
      summary={
        <>
          <Progress label={t('uploads.region')} value={percent} tone={totals.failed > 0 ? 'warn' : 'accent'} />
          {paused && <p className={styles.paused}>{t(PAUSES[paused])}</p>}
        </>
      }
    >
      <JobList uploader={uploader} jobs={jobs} />
      {totals.failed > 1 && (
        <div className={styles.foot}>
          <Button kind="quiet" onClick={() => queue.retryAll()}>
            {t('uploads.retryAll')}
          </Button>
        </div>
      )}
    </FoldingCard>
  )
}

/** Milliseconds between updates of the rate: faster changes are illegible. */
const PACE_FOR = 500

/** Transfer rate and remaining time, while sending. */
function usePace({ totals: { bytes, sent, active } }: UploadSnapshot): string {
  const rates = useRef(new Rates())
  const shown = useRef({ at: 0, text: '' })
  const now = Date.now()
  if (now - shown.current.at >= PACE_FOR) {
    rates.current.note('', sent, now)
    const rate = rates.current.of('')
    shown.current = { at: now, text: rate === undefined ? '' : formatFacts(paceOf(rate, bytes - sent)) }
  }
  return active > 0 ? shown.current.text : ''
}

/** Jobs that need attention come first; all others keep their order, to avoid jumps. */
const ORDER: readonly (readonly JobState[])[] = [['failed'], ['conflict'], ['active', 'paused', 'queued']]

function JobList({ uploader, jobs }: { uploader: Uploader; jobs: readonly UploadJob[] }) {
  const scroller = useRef<HTMLUListElement>(null)
  const sorted = useMemo(() => ORDER.flatMap(states => jobs.filter(({ state }) => states.includes(state))), [jobs])
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 3,
    getItemKey: index => sorted[index]?.id ?? index,
  })
  return (
    <ul ref={scroller} className={styles.list} tabIndex={-1}>
      <li className={styles.space} style={{ blockSize: rows.getTotalSize() }} aria-hidden="true" />
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const job = sorted[index]
        if (!job) return null
        const place = { top: start, height: ROW, position: index + 1, total: sorted.length }
        return <JobRow key={key} uploader={uploader} job={job} {...place} />
      })}
    </ul>
  )
}

/** Announces each failure, but not each file. */
function useFailureAnnouncer(uploader: Uploader, jobs: readonly UploadJob[]): void {
  const announced = useRef(new Set<string>())
  useEffect(() => {
    for (const job of jobs) {
      if (job.state !== 'failed') announced.current.delete(job.id)
      else if (!announced.current.has(job.id) && job.failure) {
        announced.current.add(job.id)
        announce(t('uploads.announceFailed', { name: nameOf(job.path), reason: uploader.reasonText(job.failure) }))
      }
    }
  }, [uploader, jobs])
}
