import type { QuotaAnswer } from '../../../shared/api/quotas.ts'
import type { UsageAnswer } from '../../../shared/api/resources.ts'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { apiJson } from '../../lib/api.ts'
import { loadChunk } from '../../lib/chunk.ts'
import { loadPeople } from '../../lib/people.ts'
import { queryClient } from '../../lib/query.ts'
import type { FailureReason } from './job.ts'
import type { NewJob } from './queue.ts'

const STALE_AFTER = 5000

/** What is left for an upload, in bytes, and why a job that needs more fails. */
export interface Room {
  left: number
  reason: Extract<FailureReason, 'quota' | 'noSpace'>
}

/**
 * The jobs of an upload; those that fit neither into the quota nor on the disk have failed before a byte is sent, with a
 * notice.
 */
export async function withinRoom(folder: FilePath, jobs: readonly NewJob[]): Promise<readonly NewJob[]> {
  const room = await roomIn(folder)
  if (!room) return jobs
  const { fitting, refused, lacks } = fitInto(room, jobs)
  if (refused === 0) return fitting
  void loadChunk(() => loadPeople(() => import('./quota-notice.ts')))
    .then(({ noteRefused }) => noteRefused(room, refused, lacks))
    .catch(() => {})
  return fitting
}

/** Lets jobs in as long as they fit, in their order. @returns also how many do not, and the bytes that they lack */
export function fitInto({ left, reason }: Room, jobs: readonly NewJob[]) {
  let free = left
  let needed = 0
  let refused = 0
  const fitting = jobs.map((job): NewJob => {
    const needs = job.failure ? 0 : Math.max((job.file?.size ?? 0) - (job.existing?.size ?? 0), 0)
    if (needs <= free) {
      free -= needs
      return job
    }
    needed += needs
    refused += 1
    return { ...job, failure: { reason, message: '' } }
  })
  return { fitting, refused, lacks: Math.max(needed - free, 0) }
}

/** The quota of the user, at most so many milliseconds old; `undefined` where it cannot be loaded. */
export function ownQuota(staleTime = STALE_AFTER): Promise<QuotaAnswer | undefined> {
  const queryFn = () => apiJson<QuotaAnswer>('/api/quota')
  return queryClient.fetchQuery({ queryKey: ['usage', '', 'quota'], queryFn, staleTime }).catch(() => undefined)
}

/** The smaller one of what quota and disk leave; `undefined` where neither is known. */
async function roomIn(folder: FilePath): Promise<Room | undefined> {
  const [quota, usage] = await Promise.all([ownQuota(0), usageOf(folder)])
  const rooms: Room[] = []
  if (quota && quota.limit !== null) rooms.push({ left: quota.limit - quota.used - quota.reserved, reason: 'quota' })
  if (usage && usage.total > 0) rooms.push({ left: usage.total - usage.used, reason: 'noSpace' })
  // Where the disk has more than the quota leaves, its usage is that of the quota.
  const [smallest] = rooms.toSorted((a, b) => a.left - b.left)
  return smallest && { ...smallest, left: Math.max(smallest.left, 0) }
}

const usageOf = (folder: FilePath): Promise<UsageAnswer | undefined> =>
  apiJson<UsageAnswer>(`/api/usage${encodePath(folder).replace(/\/$/, '')}/`).catch(() => undefined)
