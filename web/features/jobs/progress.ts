import type { Job } from '../../../shared/api/jobs.ts'

/** Progress of a job, between 0 and 1; `undefined` when unknown. */
export function jobProgress({ progress, count }: Pick<Job, 'progress' | 'count'>): number | undefined {
  const { bytes, bytesTotal } = progress
  if (bytesTotal !== undefined && bytesTotal > 0) return Math.min(1, bytes / bytesTotal)
  const ended = count.done + count.skipped + count.failed + count.cancelled
  return count.total > 1 ? ended / count.total : undefined
}
