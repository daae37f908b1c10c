import { useEffect, useState } from 'react'
import type { Job, JobItem } from '../../../shared/api/jobs.ts'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Pause, Play, X } from '../../ui/icons.ts'
import { Progress } from '../../ui/progress.tsx'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { jobErrorOf } from '../files/api/job-error.ts'
import { cancelJob, forgetJob, loadJob, pauseJob } from '../files/api/jobs.ts'
import styles from './panel.module.css'
import { jobProgress } from './progress.ts'
import { itemStateOf, stateOf, titleOf } from './texts.ts'

/** Number of items listed; the rest is counted. */
const LISTED = 100

/** A job: its operation, progress and actions. */
export function JobRow({ job, rate }: { job: Job; rate: number | undefined }) {
  const [shown, setShown] = useState(false)
  const title = titleOf(job)
  const ended = job.ended !== undefined
  const share = jobProgress(job)
  const reportError = (error: unknown) => notify('error', errorMessageOf(error))
  const hasMore = job.count.failed + job.count.skipped + (job.unkept ?? 0) > 0
  return (
    <li className={styles.row} data-state={job.count.failed > 0 ? 'failed' : job.state}>
      <div className={styles.line}>
        <div className={styles.what}>
          <p className={styles.name}>
            <bdi>{title}</bdi>
          </p>
          <p className={styles.state}>{stateOf(job, rate)}</p>
        </div>
        {hasMore && (
          <Button kind="quiet" className={styles.more} aria-expanded={shown} onClick={() => setShown(!shown)}>
            {t('jobs.details')}
          </Button>
        )}
        {ended ? (
          <IconButton label={t('jobs.dismiss', { title })} onClick={() => void forgetJob(job.id).catch(reportError)}>
            <X size={16} aria-hidden />
          </IconButton>
        ) : (
          <Controls job={job} title={title} tell={reportError} />
        )}
      </div>
      {!ended && job.started !== undefined && share !== undefined && <Progress label={title} value={share} />}
      {shown && <Results key={String(ended)} id={job.id} />}
    </li>
  )
}

interface ControlsProps {
  job: Job
  title: string
  tell: (error: unknown) => void
}

/** The actions on an active job. */
function Controls({ job: { id, state }, title, tell }: ControlsProps) {
  const paused = state === 'paused'
  return (
    <>
      <IconButton
        label={t(paused ? 'jobs.resume' : 'jobs.pause', { title })}
        onClick={() => void pauseJob(id, !paused).catch(tell)}
      >
        {paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
      </IconButton>
      <IconButton label={t('jobs.cancel', { title })} onClick={() => void cancelJob(id).catch(tell)}>
        <X size={16} aria-hidden />
      </IconButton>
    </>
  )
}

/** Items that were skipped, cancelled or failed, or replaced what could not be kept, each with its reason. */
function Results({ id }: { id: string }) {
  const [items, setItems] = useState<readonly JobItem[]>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    loadJob(id).then(
      job => setItems(job.items?.filter(isRemarkable) ?? []),
      (error: unknown) => setProblem(errorMessageOf(error)),
    )
  }, [id])
  if (problem) return <p className={styles.problem}>{problem}</p>
  const more = (items?.length ?? 0) - LISTED
  return (
    <ul className={styles.items}>
      {items?.slice(0, LISTED).map(item => (
        <li key={`${item.from}\0${item.to}\0${item.member}`}>
          <bdi>{shownName(item.member ?? nameOf(parsePath(item.from)))}</bdi>
          <span>{itemStateOf(item, code => errorMessageOf(jobErrorOf(code)))}</span>
        </li>
      ))}
      {more > 0 && <li>{t('files.deleteMore', { count: more })}</li>}
    </ul>
  )
}

const isRemarkable = ({ state, kept }: JobItem) =>
  ['failed', 'skipped', 'cancelled'].includes(state) || (state === 'done' && kept === 'no')
