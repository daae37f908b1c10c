import { useEffect, useId, useRef, useState } from 'react'
import type { Job } from '../../../shared/api/jobs.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { forgetJob, jobsStore } from '../../lib/jobs.ts'
import { notify } from '../../lib/notices.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../ui/button.tsx'
import { ChevronDown, X } from '../../ui/icons.ts'
import { reloadFolders } from '../files/api/list.ts'
import { reasonOf } from '../files/reasons.ts'
import { JobRow } from './job-row.tsx'

import styles from './panel.module.css'
import { Rates } from './rate.ts'
import { stateOf, titleOf } from './texts.ts'
import { useLive } from './use-live.ts'

/** Jobs that run, wait for their time, or ended without anybody having seen it. */
export default function JobsPanel() {
  useLive()
  const jobs = useStore(jobsStore)
  const rates = useRef(new Rates())
  const noted = useRef<readonly Job[]>([])
  if (noted.current !== jobs) {
    noted.current = jobs
    for (const job of jobs) if (job.state === 'running') rates.current.note(job, Date.now())
  }
  useEnds(jobs)
  return jobs.length === 0 ? null : <Card jobs={jobs} rates={rates.current} />
}

function Card({ jobs, rates }: { jobs: readonly Job[]; rates: Rates }) {
  const [open, setOpen] = useState(true)
  const listId = useId()
  const ended = jobs.filter(job => job.ended !== undefined)
  const running = jobs.filter(job => job.ended === undefined && !(job.scheduled && job.state === 'waiting'))
  const waiting = jobs.length - ended.length - running.length
  const dismiss = () => void Promise.all(ended.map(({ id }) => forgetJob(id))).catch(tellError)
  return (
    <section className={styles.panel} aria-label={t('jobs.region')} data-region="">
      <div className={styles.head}>
        <p className={styles.title}>
          {running.length > 0
            ? t('jobs.running', { count: running.length })
            : waiting > 0
              ? t('jobs.scheduled', { count: waiting })
              : t('jobs.ended', { count: ended.length })}
        </p>
        <IconButton
          label={t(open ? 'uploads.collapse' : 'uploads.expand')}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown size={18} className={open ? undefined : styles.turned} aria-hidden />
        </IconButton>
        {ended.length > 0 && (
          <IconButton label={t('jobs.dismissAll')} onClick={dismiss}>
            <X size={18} aria-hidden />
          </IconButton>
        )}
      </div>
      <ul id={listId} className={styles.list} hidden={!open}>
        {open && jobs.map(job => <JobRow key={job.id} job={job} rate={rates.of(job.id)} />)}
      </ul>
    </section>
  )
}

const tellError = (error: unknown) => notify('error', reasonOf(error))

/** Tells once of each job that ends, and shows what it has changed. */
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
