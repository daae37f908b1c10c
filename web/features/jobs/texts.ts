import type { Job, JobItem } from '../../../shared/api/jobs.ts'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parentOf, parsePath } from '../../../shared/path.ts'
import { formatBytes, formatDate, formatFacts, formatNumber, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { paceOf } from '../../lib/rate.ts'
import { jobProgress } from './progress.ts'

/** Title of a job. */
export function titleOf({ kind, count, first }: Job): string {
  const name = shownName(nameOf(parsePath(first.from)))
  const to = first.to === undefined ? '' : parsePath(first.to)
  const place = to === '' ? '' : shownName(nameOf(parentOf(parsePath(to)))) || t('files.home')
  if (kind === 'delete') return t('jobs.delete', { count: count.total, name })
  if (kind === 'rename') return t('jobs.rename', { count: count.total, name })
  if (kind === 'archive') return t('jobs.archive', { name: shownName(nameOf(parsePath(first.to ?? '/'))) })
  if (kind === 'verify') return t('jobs.verify', { name })
  if (kind === 'duplicates' || kind === 'resolve') return t('jobs.duplicates', { name })
  if (kind === 'undo') return t('actions.undo')
  if (kind === 'rewind') return t('jobs.rewind')
  if (kind === 'empty') return t('jobs.empty')
  if (kind === 'extract') return t('jobs.extract', { name })
  return t(kind === 'copy' ? 'jobs.copy' : 'jobs.move', { count: count.total, name, place })
}

/** Status line of a job, with what began it. @param rate bytes per second, if known */
export function stateOf(job: Job, rate: number | undefined): string {
  return formatFacts([progressText(job, rate), ...(job.via === 'dav' ? ['WebDAV'] : [])])
}

function progressText(job: Job, rate: number | undefined): string {
  if (job.ended !== undefined) return endOf(job)
  if (job.state === 'waiting') return job.scheduled ? t('jobs.at', { when: formatDate(job.runAt) }) : t('jobs.waiting')
  if (job.state === 'paused') return formatFacts([t('uploads.state.paused'), ...progressOf(job)])
  return formatFacts([...progressOf(job), ...timeOf(job, rate)]) || t('jobs.begins')
}

function endOf({ state, count, code, unkept = 0 }: Job): string {
  if (code === 'unauthorized') return t('jobs.endedBySession')
  if (code === 'session_ended') return t('jobs.endedByLogout')
  const parts = [
    ...(count.done > 0 ? [t('jobs.done', { count: count.done })] : []),
    ...(count.skipped > 0 ? [t('jobs.skipped', { count: count.skipped })] : []),
    ...(count.failed > 0 ? [t('jobs.failed', { count: count.failed })] : []),
    ...(unkept > 0 ? [t('jobs.unkept')] : []),
  ]
  return formatFacts([...(state === 'cancelled' ? [t('jobs.cancelled')] : []), ...parts])
}

function progressOf(job: Job): string[] {
  const { count, progress } = job
  const ended = count.done + count.skipped + count.failed
  const share = jobProgress(job)
  const { bytes, bytesTotal, entries } = progress
  return [
    ...(count.total > 1
      ? [t('jobs.items', { done: formatNumber(ended), total: formatNumber(count.total) })]
      : entries > 1 && bytesTotal === undefined
        ? [t('jobs.entries', { count: entries })]
        : []),
    ...(bytes === 0 ? [] : [bytesTotal === undefined ? formatBytes(bytes) : bytesOf(bytes, bytesTotal)]),
    ...(share === undefined || count.total === 1 ? [] : [formatPercent(Math.ceil(share * 100) / 100)]),
  ]
}

const bytesOf = (bytes: number, total: number) =>
  t('jobs.bytes', { done: formatBytes(Math.min(bytes, total)), total: formatBytes(total) })

function timeOf({ progress: { bytes, bytesTotal } }: Job, rate: number | undefined): string[] {
  if (rate === undefined) return []
  return paceOf(rate, bytesTotal === undefined ? undefined : bytesTotal - bytes)
}

/** Why an item was not completed, or what was lost by it, as a sentence. */
export function itemStateOf({ state, code }: JobItem, reason: (code: string) => string): string {
  if (state === 'done') return t('jobs.unkept')
  if (state === 'skipped') return t('jobs.itemSkipped')
  return state === 'failed' ? reason(code ?? '') : t('jobs.itemCancelled')
}
