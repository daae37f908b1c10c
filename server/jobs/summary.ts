import type { Job, JobItem } from '../../shared/api/jobs.ts'
import type { Db, JobItemsTable, JobsTable } from '../db/schema.ts'
import { countItems, countUnkept, listItems, PLANNED_AFTER } from './jobs.store.ts'
import type { JobOrigin, Jobs } from './jobs.ts'
import type { Progress } from './progress.ts'

export interface SummaryDeps {
  db: Db
  jobs: Jobs
}

/** The kinds of jobs that replace files. */
const KEEPING: ReadonlySet<string> = new Set(['copy', 'move', 'archive', 'extract'])

/** A job as in the API. */
export async function summarize({ db, jobs }: SummaryDeps, job: JobsTable): Promise<Job> {
  const { done, skipped, failed, cancelled, waiting, running } = await countItems(db, job.id)
  const [first] = await listItems(db, job.id, 1)
  const unkept = done > 0 && KEEPING.has(job.kind) ? await countUnkept(db, job.id) : 0
  const total = done + skipped + failed + cancelled + waiting + running
  return {
    id: job.id,
    kind: job.kind as Job['kind'],
    userID: job.user_id,
    state: job.state,
    ...(originOf(job).way === 'dav' && { via: 'dav' as const }),
    ...(job.code === null ? {} : { code: job.code }),
    created: timeOf(job.created_at),
    runAt: timeOf(job.run_at),
    scheduled: job.run_at - job.created_at > PLANNED_AFTER,
    ...(job.started_at === null ? {} : { started: timeOf(job.started_at) }),
    ...(job.ended_at === null ? {} : { ended: timeOf(job.ended_at) }),
    count: { total, done, skipped, failed, cancelled },
    ...(unkept > 0 && { unkept }),
    progress: presentProgress(jobs.progressOf(job.id) ?? JSON.parse(job.progress)),
    first: first ? placesOf(first) : { from: '/' },
  }
}

const originOf = ({ origin }: JobsTable): Partial<JobOrigin> => JSON.parse(origin)

/** A job with all its items. */
export async function summarizeWhole(deps: SummaryDeps, job: JobsTable): Promise<Job> {
  const items = await listItems(deps.db, job.id)
  return { ...(await summarize(deps, job)), items: items.map(presentItem) }
}

function presentItem(item: JobItemsTable): JobItem {
  const { state, code } = item
  return { ...placesOf(item), ...memberOf(item), state, ...(code === null ? {} : { code }) }
}

/**
 * The journal of a part that has ended contains the entry's name, that of a deleted item its id in the trash, or its bytes if
 * it would have to be copied.
 */
function memberOf({ state, journal }: JobItemsTable): Pick<JobItem, 'member' | 'kept' | 'bytes'> {
  return (state === 'failed' || state === 'done') && journal !== null ? JSON.parse(journal) : {}
}

const placesOf = ({ source, target }: JobItemsTable) => ({ from: source, ...(target === null ? {} : { to: target }) })

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()

function presentProgress({ bytes, entries, bytesTotal, entriesTotal }: Progress): Job['progress'] {
  return {
    bytes,
    entries,
    ...(bytesTotal === undefined ? {} : { bytesTotal }),
    ...(entriesTotal === undefined ? {} : { entriesTotal }),
  }
}
