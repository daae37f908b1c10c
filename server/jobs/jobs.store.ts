import { fromStored, toStored } from '../db/paths.ts'
import type { Db, JobItemsTable, JobsTable } from '../db/schema.ts'
import type { Progress } from './progress.ts'

/** Rows written with one statement. */
const ROWS_AT_ONCE = 500
/** The most jobs checked in a search for one to run. */
const CANDIDATES = 50

/** The least delay in milliseconds for which a job counts as scheduled. */
export const PLANNED_AFTER = 1000

/** What is requested of a running job: nothing, to end, to pause until it is resumed. */
export const STOP = { no: 0, forGood: 1, forNow: 2 } as const
/** States of jobs that have not ended. */
const OPEN = ['waiting', 'running', 'paused'] as const

export type ItemState = JobItemsTable['state']
export type ItemCounts = Readonly<Record<ItemState, number>>
const NONE: ItemCounts = { waiting: 0, running: 0, done: 0, skipped: 0, failed: 0, cancelled: 0 }

/** Inserts a job with all its items, or nothing. */
export async function insertJob(db: Db, job: JobsTable, items: readonly JobItemsTable[]): Promise<void> {
  await db.transaction().execute(async one => {
    await one
      .insertInto('jobs')
      .values({ ...job, scope: toStored(job.scope) })
      .execute()
    for (let start = 0; start < items.length; start += ROWS_AT_ONCE) {
      await one
        .insertInto('job_items')
        .values(items.slice(start, start + ROWS_AT_ONCE).map(item => withPaths(item, toStored)))
        .execute()
    }
  })
}

export async function findJob(db: Db, id: string): Promise<JobsTable | undefined> {
  return fromRow(await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst())
}

/** The jobs of one user, or of all, newest first. */
export async function listJobs(db: Db, userId: number | undefined, most: number): Promise<JobsTable[]> {
  const all = db.selectFrom('jobs').selectAll().orderBy('created_at', 'desc').limit(most)
  const rows = await (userId === undefined ? all : all.where('user_id', '=', userId)).execute()
  return rows.map(row => ({ ...row, scope: fromStored(row.scope) }))
}

/** A caller, as far as it decides which jobs it may know. */
export interface JobReader {
  user: { id: number; perm: { admin: boolean } }
  sessionId: string
  /** A personal API token that narrows the caller. */
  token?: object | undefined
}

/**
 * Whether a job is one of the caller's, or the caller an administrator. A token knows only its own: others name what it
 * may not see.
 */
export function isOwnJob({ user_id, session_id }: JobsTable, { user, sessionId, token }: JobReader): boolean {
  if (token && !user.perm.admin) return user_id === user.id && session_id === sessionId
  return user_id === user.id || user.perm.admin
}

/** Jobs of a user that have not ended. */
export async function countOpenJobs(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Jobs that are due, and those whose process has sent no heartbeat since `lost`. */
export async function findDueJobs(
  db: Db,
  now: number,
  lost: number,
): Promise<Pick<JobsTable, 'id' | 'user_id' | 'stop'>[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'user_id', 'stop'])
    .where(({ or, and, eb }) =>
      or([
        and([eb('state', '=', 'waiting'), eb('run_at', '<=', now)]),
        and([eb('state', '=', 'running'), eb('heartbeat', '<', lost)]),
      ]),
    )
    .orderBy('run_at')
    .limit(CANDIDATES)
    .execute()
}

/** The oldest heartbeat of a job that another process runs. */
export async function oldestHeartbeat(db: Db, owner: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('heartbeat')
    .where('state', '=', 'running')
    .where('owner', '!=', owner)
    .orderBy('heartbeat')
    .limit(1)
    .executeTakeFirst()
  return row?.heartbeat
}

/** When the next scheduled job is due. */
export async function nextDue(db: Db, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('state', '=', 'waiting')
    .where('run_at', '>', now)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst()
  return row?.run_at
}

/** Claims a job for a process; of concurrent claims one succeeds. */
export async function claimJob(db: Db, id: string, owner: string, now: number, lost: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set(({ fn, val }) => ({
      state: 'running',
      owner,
      heartbeat: now,
      started_at: fn.coalesce('started_at', val(now)),
    }))
    .where('id', '=', id)
    .where(({ or, and, eb }) =>
      or([eb('state', '=', 'waiting'), and([eb('state', '=', 'running'), eb('heartbeat', '<', lost)])]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** A job, and the process that has claimed it. */
export interface Owned {
  id: string
  owner: string
}

/**
 * Writes the owner's heartbeat and progress. @returns the requested stop; `undefined` if the job belongs to another
 * process by now
 */
export async function writeHeartbeat(db: Db, job: Owned, now: number, progress: Progress): Promise<number | undefined> {
  const alive = { heartbeat: now, progress: JSON.stringify(progress) }
  const row = await ofOwner(db, job).set(alive).returning('stop').executeTakeFirst()
  return row?.stop
}

const ofOwner = (db: Db, { id, owner }: Owned) => db.updateTable('jobs').where('id', '=', id).where('owner', '=', owner)

/** Lets every job be claimed at once. */
export async function releaseJobs(db: Db): Promise<void> {
  await db.updateTable('jobs').set({ heartbeat: 0 }).where('state', '=', 'running').execute()
}

/** Writes more in the transaction in which a job ends. @returns what to do after it, if anything */
export type AlongEnd = (transaction: Db, job: JobsTable) => Promise<(() => void) | undefined>

/** Stores how a job ended, unless it belongs to another process by now. */
export async function endJob(
  db: Db,
  job: Owned,
  end: Partial<JobsTable>,
  along: readonly AlongEnd[] = [],
): Promise<void> {
  const after = await db.transaction().execute(async transaction => {
    await ofOwner(transaction, job)
      .set({ ...end, owner: null })
      .execute()
    const ended = await findJob(transaction, job.id)
    if (!ended || ended.ended_at !== end.ended_at) return []
    const next: Awaited<ReturnType<AlongEnd>>[] = []
    for (const write of along) next.push(await write(transaction, ended))
    return next
  })
  for (const act of after) act?.()
}

/** Requests the end of a job; a paused one is claimed once more for that. */
export async function stopJob(db: Db, id: string): Promise<void> {
  await stopping(db).where('id', '=', id).execute()
}

/**
 * Selects jobs of a user: those of one session and of the sessions that it started (`ID:…`), or of all but one; all by
 * default.
 */
export interface WhichJobs {
  only?: string | undefined
  but?: string | undefined
  /** Also scheduled jobs that have not begun. */
  planned?: boolean
  /** The reason that the user sees. */
  code?: 'session_ended' | 'unauthorized'
}

/** Requests the end of the jobs of a user's sessions. @returns their ids */
export async function stopJobsOf(db: Db, userId: number, which: WhichJobs): Promise<string[]> {
  const { only, but = '', planned = false, code = 'session_ended' } = which
  const jobs = stopping(db)
    .set({ code })
    .where('user_id', '=', userId)
    .where(({ or, eb }) =>
      only === undefined
        ? eb('session_id', '!=', but)
        : or([eb('session_id', '=', only), eb('session_id', 'like', `${only}:%`)]),
    )
  const due = jobs.where(({ or, eb }) =>
    or([eb('started_at', 'is not', null), eb('run_at', '<=', eb('created_at', '+', PLANNED_AFTER))]),
  )
  const rows = await (planned ? jobs : due).returning('id').execute()
  return rows.map(({ id }) => id)
}

const stopping = (db: Db) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      stop: STOP.forGood,
      run_at: 0,
      state: eb
        .case()
        .when('state', '=', 'paused')
        .then('waiting' as const)
        .else(eb.ref('state'))
        .end(),
    }))
    .where('state', 'in', OPEN)

/** Keeps a job from beginning, or asks its process to release it. */
export async function pauseJob(db: Db, id: string): Promise<void> {
  const job = db.updateTable('jobs').where('id', '=', id).where('stop', '=', STOP.no)
  await job.set({ state: 'paused' }).where('state', '=', 'waiting').execute()
  await job.set({ stop: STOP.forNow }).where('state', '=', 'running').execute()
}

/** Resumes a job, also one that was not released yet. */
export async function resumeJob(db: Db, id: string): Promise<void> {
  const job = db.updateTable('jobs').where('id', '=', id)
  await job.set({ stop: STOP.no }).where('stop', '=', STOP.forNow).execute()
  await job.set({ state: 'waiting' }).where('state', '=', 'paused').execute()
}

/** Releases a job: it waits until it is resumed, if a pause was requested, or until a process claims it. */
export async function releaseJob(db: Db, job: Owned, progress: Progress): Promise<void> {
  await ofOwner(db, job)
    .set(({ eb }) => ({
      state: eb
        .case()
        .when('stop', '=', STOP.forNow)
        .then('paused' as const)
        .else('waiting' as const)
        .end(),
      stop: eb.case().when('stop', '=', STOP.forNow).then(STOP.no).else(eb.ref('stop')).end(),
      owner: null,
      progress: JSON.stringify(progress),
    }))
    .execute()
}

export async function deleteJob(db: Db, id: string): Promise<void> {
  await db.deleteFrom('jobs').where('id', '=', id).execute()
}

export async function deleteJobsEndedBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom('jobs').where('ended_at', '<', time).execute()
}

/** The next items that have no result yet. */
export async function nextItems(db: Db, jobId: string, most: number): Promise<JobItemsTable[]> {
  const rows = await db
    .selectFrom('job_items')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('state', 'in', ['running', 'waiting'])
    .orderBy('position')
    .limit(most)
    .execute()
  return rows.map(row => withPaths(row, fromStored))
}

export async function listItems(db: Db, jobId: string, most = -1): Promise<JobItemsTable[]> {
  const all = db.selectFrom('job_items').selectAll().where('job_id', '=', jobId).orderBy('position')
  const rows = await (most < 0 ? all : all.limit(most)).execute()
  return rows.map(row => withPaths(row, fromStored))
}

/** The items at some positions. */
export async function listItemsAt(
  db: Db,
  jobId: string,
  { start, count }: { start: number; count: number },
): Promise<JobItemsTable[]> {
  const rows = await db
    .selectFrom('job_items')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('position', '>=', start)
    .where('position', '<', start + count)
    .orderBy('position')
    .execute()
  return rows.map(row => withPaths(row, fromStored))
}

export async function countItems(db: Db, jobId: string): Promise<ItemCounts> {
  const rows = await db
    .selectFrom('job_items')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('job_id', '=', jobId)
    .groupBy('state')
    .execute()
  return { ...NONE, ...Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)])) }
}

/** The items that are done and replaced what could not be kept. */
export async function countUnkept(db: Db, jobId: string): Promise<number> {
  const done = db.selectFrom('job_items').where('job_id', '=', jobId).where('state', '=', 'done')
  const row = await done
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('journal', '=', JSON.stringify({ kept: 'no' }))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Updates some items, all or nothing. @returns whether the job still belongs to the owner */
export async function updateItems(db: Db, job: Owned, items: readonly JobItemsTable[]): Promise<boolean> {
  return db.transaction().execute(async one => {
    // Keeps the job from being claimed until the items are written.
    const { numUpdatedRows } = await ofOwner(one, job).set({ owner: job.owner }).executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    for (const item of items) {
      const { job_id, position, target, state, code, journal } = withPaths(item, toStored)
      await one
        .updateTable('job_items')
        .set({ target, state, code, journal })
        .where('job_id', '=', job_id)
        .where('position', '=', position)
        .execute()
    }
    return true
  })
}

/** Inserts an item that has its result already; an existing one is left unchanged. */
export async function addItem(db: Db, item: JobItemsTable): Promise<void> {
  await db
    .insertInto('job_items')
    .values(withPaths(item, toStored))
    .onConflict(place => place.columns(['job_id', 'position']).doNothing())
    .execute()
}

/** The journals of the items at some positions. */
export async function listJournals(db: Db, jobId: string, { start, count }: { start: number; count: number }) {
  const rows = await db
    .selectFrom('job_items')
    .select('journal')
    .where('job_id', '=', jobId)
    .where('position', '>=', start)
    .where('position', '<', start + count)
    .execute()
  return rows.map(({ journal }) => journal)
}

/** Gives every item without a result the same one. */
export async function endItems(db: Db, jobId: string, state: ItemState): Promise<void> {
  await db
    .updateTable('job_items')
    .set({ state, journal: null })
    .where('job_id', '=', jobId)
    .where('state', 'in', ['waiting', 'running'])
    .execute()
}

const fromRow = (row: JobsTable | undefined) => row && { ...row, scope: fromStored(row.scope) }

function withPaths(item: JobItemsTable, write: (path: string) => string): JobItemsTable {
  return { ...item, source: write(item.source), target: item.target === null ? null : write(item.target) }
}
