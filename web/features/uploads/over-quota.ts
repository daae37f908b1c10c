import type { QuotaAnswer } from '../../../shared/api/quotas.ts'
import { apiJson } from '../../lib/api.ts'
import { loadChunk } from '../../lib/chunk.ts'
import { loadPeople } from '../../lib/people.ts'
import { queryClient } from '../../lib/query.ts'
import type { NewJob } from './queue.ts'

const STALE_AFTER = 5000

/** The jobs of an upload; those that do not fit into the quota have failed before a byte is sent, with a notice. */
export async function withinQuota(jobs: readonly NewJob[]): Promise<readonly NewJob[]> {
  const left = await bytesLeft()
  if (left === undefined) return jobs
  const { fitting, lacks } = fitInto(left, jobs)
  if (lacks === 0) return fitting
  const refused = fitting.filter(({ failure }) => failure === OVER).length
  void loadChunk(() => loadPeople(() => import('./quota-notice.ts')))
    .then(({ noteRefused }) => noteRefused({ count: refused, left, lacks }))
    .catch(() => {})
  return fitting
}

/** Marks a job that does not fit. */
export const OVER = { reason: 'quota', message: '' } as const

/** Lets jobs in as long as they fit, in their order. @returns also the bytes that all the others lack */
export function fitInto(left: number, jobs: readonly NewJob[]): { fitting: NewJob[]; lacks: number } {
  let free = left
  let lacks = 0
  const fitting = jobs.map(job => {
    const needs = job.failure ? 0 : Math.max((job.file?.size ?? 0) - (job.existing?.size ?? 0), 0)
    if (needs <= free) {
      free -= needs
      return job
    }
    lacks += needs
    return { ...job, failure: OVER }
  })
  return { fitting, lacks: Math.max(lacks - free, 0) }
}

/** The quota of the user; `undefined` where it cannot be loaded. */
export function ownQuota(): Promise<QuotaAnswer | undefined> {
  const queryFn = () => apiJson<QuotaAnswer>('/api/quota')
  return queryClient
    .fetchQuery({ queryKey: ['usage', '', 'quota'], queryFn, staleTime: STALE_AFTER })
    .catch(() => undefined)
}

/** Bytes that the quota of the user leaves; `undefined` without one. */
async function bytesLeft(): Promise<number | undefined> {
  const quota = await ownQuota()
  if (!quota || quota.limit === null) return undefined
  return Math.max(quota.limit - quota.used - quota.reserved, 0)
}
