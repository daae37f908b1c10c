import { useEffect, useRef, useState } from 'react'
import type { Job } from '../../../shared/api/jobs.ts'
import { type Activity, useActivitiesRequest, useActivity } from '../../lib/activity.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { useWindowClass } from '../../lib/media.ts'
import { notify } from '../../lib/notices.ts'
import { Rates } from '../../lib/rate.ts'
import { useStore } from '../../lib/store.ts'
import { FoldingCard } from '../../ui/activity-card.tsx'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { forgetJob, isPlanned, jobsStore } from '../files/api/jobs.ts'
import { reloadFolders } from '../files/api/list.ts'
import { useShareMarks } from '../files/listing/use-share-marks.ts'
import { JobRow } from './job-row.tsx'
import styles from './panel.module.css'
import { jobProgress } from './progress.ts'
import { stateOf, titleOf } from './texts.ts'
import { useLiveUpdates } from './use-live-updates.ts'

/**
 * Jobs that are active, or ended and not yet dismissed; on request those that are scheduled, or were done before the
 * page was opened.
 */
export default function JobsPanel() {
  useLiveUpdates()
  useShareMarks()
  const jobs = useStore(jobsStore)
  const rates = useRef(new Rates())
  const previousJobs = useRef<readonly Job[]>([])
  if (previousJobs.current !== jobs) {
    previousJobs.current = jobs
    for (const job of jobs) if (job.state === 'running') rates.current.note(job.id, job.progress.bytes, Date.now())
  }
  useEnds(jobs)
  useActivity('jobs', activityOf(jobs))
  const { called, leave } = useCalled()
  const isOld = useOld(jobs)
  const shown = called ? jobs : jobs.filter(job => !isPlanned(job) && !isOld(job))
  return shown.length === 0 ? null : <Card jobs={shown} rates={rates.current} leave={leave} />
}

/** Whether a job was done when the page first listed any. Those that failed, were cancelled or lost content need attention. */
function useOld(jobs: readonly Job[]): (job: Job) => boolean {
  const old = useRef<ReadonlySet<string>>(undefined)
  if (jobs.length > 0) old.current ??= new Set(jobs.filter(isFine).map(({ id }) => id))
  return ({ id }) => old.current?.has(id) === true
}

const isFine = ({ state, count, unkept }: Job) => state === 'done' && count.failed === 0 && unkept === undefined

/** Whether scheduled jobs are shown: from the opening of the panel until it is closed. */
function useCalled(): { called: boolean; leave: () => void } {
  const call = useActivitiesRequest()
  const [left, setLeft] = useState(call)
  return { called: call !== left, leave: () => setLeft(call) }
}

function Card({ jobs, rates, leave }: { jobs: readonly Job[]; rates: Rates; leave: () => void }) {
  // On a phone, a list of waiting jobs would cover half of the screen.
  const narrow = useWindowClass() === 'narrow'
  const ended = jobs.filter(job => job.ended !== undefined)
  const dismiss = () => {
    leave()
    void Promise.all(ended.map(({ id }) => forgetJob(id))).catch(reportError)
  }
  const labelKey = ended.length > 0 ? 'jobs.dismissAll' : jobs.some(isPlanned) ? 'uploads.dismiss' : undefined
  return (
    <FoldingCard
      label={t('jobs.region')}
      title={<p>{headOf(jobs)}</p>}
      folded={narrow}
      close={labelKey && { label: t(labelKey), run: dismiss }}
    >
      <ul className={styles.list}>
        {jobs.map(job => (
          <JobRow key={job.id} job={job} rate={rates.of(job.id)} />
        ))}
      </ul>
    </FoldingCard>
  )
}

/** The most important state of all of them. */
function headOf(jobs: readonly Job[]): string {
  const open = jobs.filter(job => job.ended === undefined)
  const scheduled = open.filter(isPlanned).length
  const running = open.filter(job => job.state !== 'paused').length - scheduled
  if (running > 0) return t('jobs.running', { count: running })
  if (open.length > scheduled) return t('uploads.state.paused')
  return scheduled > 0 ? t('jobs.scheduled', { count: scheduled }) : t('jobs.ended', { count: jobs.length })
}

/** Of the running ones; 1 where all have ended. */
function activityOf(jobs: readonly Job[]): Activity | undefined {
  if (jobs.length === 0) return undefined
  const failed = jobs.some(({ count }) => count.failed > 0)
  const planned = jobs.filter(isPlanned).length
  const running = jobs.filter(job => job.ended === undefined && job.state !== 'paused' && !isPlanned(job)).length
  const shares = jobs.filter(({ state }) => state === 'running').map(jobProgress)
  if (shares.includes(undefined) || planned === jobs.length) return { share: undefined, failed, running, planned }
  const sum = shares.reduce<number>((total, share = 0) => total + share, 0)
  return { share: shares.length > 0 ? sum / shares.length : running > 0 ? 0 : 1, failed, running, planned }
}

const reportError = (error: unknown) => notify('error', errorMessageOf(error))

/** Announces each job that ends, once, and reloads the listings it changed. */
function useEnds(jobs: readonly Job[]): void {
  const open = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const over = jobs.filter(job => job.ended !== undefined && open.current.has(job.id))
    const gone = [...open.current].some(id => !jobs.some(job => job.id === id))
    open.current = new Set(jobs.filter(job => job.ended === undefined).map(({ id }) => id))
    for (const job of over) announce(`${titleOf(job)}\n${stateOf(job, undefined)}`)
    if (over.length > 0 || gone) void reloadFolders()
  }, [jobs])
}
