import { memo } from 'react'
import { nameOf } from '../../../shared/path.ts'
import { formatBytes, formatFacts } from '../../lib/i18n/format.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Pause, Play, RotateCw, X } from '../../ui/icons.ts'
import { FileName } from '../files/listing/cells.tsx'
import { promptConflicts } from './conflicts.ts'
import type { UploadJob } from './job.ts'
import styles from './panel.module.css'
import type { Uploader } from './uploader.ts'

interface JobRowProps {
  uploader: Uploader
  job: UploadJob
  /** Offset and height in CSS pixels. */
  top: number
  height: number
  /** From 1, and the total. */
  position: number
  total: number
}

/** One upload. */
export const JobRow = memo(function JobRow({ uploader, job, top, height, position, total }: JobRowProps) {
  useLocale()
  const name = nameOf(job.path)
  const share = job.size > 0 ? job.sent / job.size : 0
  const step = nextStep(uploader, job)
  return (
    <li
      className={styles.row}
      aria-posinset={position}
      aria-setsize={total}
      data-state={job.state}
      style={{ transform: `translateY(${top}px)`, blockSize: height }}
    >
      <div className={styles.what}>
        <FileName name={name} />
        <p className={styles.state}>{stateText(uploader, job)}</p>
      </div>
      {job.state === 'conflict' && (
        <Button kind="quiet" className={styles.decide} onClick={() => void promptConflicts(uploader, [job])}>
          {t('uploads.decide')}
        </Button>
      )}
      {step && (
        <IconButton label={t(step.labelKey, { name })} onClick={step.run}>
          <step.icon size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton label={t('uploads.cancel', { name })} onClick={() => uploader.queue.cancel(job.id)}>
        <X size={16} aria-hidden />
      </IconButton>
      {job.state === 'active' && <span className={styles.sent} style={{ inlineSize: `${share * 100}%` }} />}
    </li>
  )
})

/** Its action besides cancelling: one button, which keeps the focus while its function changes. */
function nextStep({ queue }: Uploader, { id, state, file, failure }: UploadJob) {
  if (state === 'failed' && failure?.reason !== 'badName')
    return { labelKey: 'uploads.retry', icon: RotateCw, run: () => queue.retry(id) } as const
  if (state === 'paused') return { labelKey: 'uploads.resume', icon: Play, run: () => queue.unpause(id) } as const
  const goesOn = file && (state === 'active' || state === 'queued')
  return goesOn ? ({ labelKey: 'uploads.pause', icon: Pause, run: () => queue.pause(id) } as const) : undefined
}

function stateText(uploader: Uploader, job: UploadJob): string {
  if (job.failure) return uploader.reasonText(job.failure)
  const state = t(`uploads.state.${job.state}`)
  if (job.size === 0) return state
  if (job.state !== 'active' && job.sent === 0) return formatFacts([state, formatBytes(job.size)])
  const sent = t('jobs.bytes', { done: formatBytes(job.sent), total: formatBytes(job.size) })
  return job.state === 'active' ? sent : formatFacts([state, sent])
}
