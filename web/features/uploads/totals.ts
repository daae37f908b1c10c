import type { UploadJob, UploadTotals } from './job.ts'
import type { Outcome } from './send.ts'

const COUNTED = {
  queued: 'queued',
  paused: 'queued',
  active: 'active',
  failed: 'failed',
  conflict: 'conflicts',
} as const

/** The totals with a job added, or removed. */
export function count(totals: UploadTotals, job: UploadJob, sign: 1 | -1): UploadTotals {
  const field = COUNTED[job.state]
  return {
    ...totals,
    total: totals.total + sign,
    bytes: totals.bytes + sign * job.size,
    sent: totals.sent + sign * job.sent,
    [field]: totals[field] + sign,
  }
}

/** The totals after a job left the queue. A skipped one has no bytes to send; an existing folder is not counted. */
export function countEnded(totals: UploadTotals, job: UploadJob, how: Outcome): UploadTotals {
  if (how === 'there') return totals
  const size = how === 'done' ? job.size : 0
  const { total, bytes, sent } = totals
  return { ...totals, total: total + 1, bytes: bytes + size, sent: sent + size, [how]: totals[how] + 1 }
}
