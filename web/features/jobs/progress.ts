import type { Job } from '../../../shared/api/jobs.ts'

/** How much of a job is done, between 0 and 1; nothing where that is not known. */
export function shareOf({ progress, count }: Pick<Job, 'progress' | 'count'>): number | undefined {
  const { bytes, bytesTotal } = progress
  if (bytesTotal !== undefined && bytesTotal > 0) return Math.min(1, bytes / bytesTotal)
  const ended = count.done + count.skipped + count.failed + count.cancelled
  return count.total > 1 ? ended / count.total : undefined
}
