import type { Job, JobChange, JobItem, JobRequest } from '../../../../shared/api/jobs.ts'
import { type ApiInit, api, apiJson, unlessMissing } from '../../../lib/api.ts'
import { sessionStore } from '../../../lib/session.ts'
import { createStore } from '../../../lib/store.ts'
import { TO_TRASH } from './resource.ts'
import { noteUnderWay } from './under-way.ts'
import { reportKept } from './unkept.ts'

/** The signed-in user's jobs on the server, newest first. */
export const jobsStore = createStore<readonly Job[]>([])

/** Whether a job is scheduled and its time has not come. */
export const isPlanned = ({ scheduled, started, ended }: Job): boolean =>
  scheduled && started === undefined && ended === undefined

/**
 * Creates a job. A job completed at once comes with its items; any other continues in the background and is followed.
 * @throws ApiError
 */
export async function startJob(request: JobRequest): Promise<Job> {
  const headers = { 'Content-Type': 'application/json', ...TO_TRASH }
  const sent = apiJson<Job>('/api/jobs', { method: 'POST', headers, body: JSON.stringify(request) })
  const job = await noteUnderWay(sent)
  if (!job.items) listJob(job)
  return job
}

/** What a job did. */
export interface EndedJob {
  /** The result of each item. */
  items: readonly JobItem[]
  /** The id of the change that it made. */
  change: string | undefined
}

/**
 * Creates a job and waits for its end, however long that takes; the job panel shows its progress in the meantime.
 * @throws ApiError when the job was refused, or its outcome is no longer known
 */
export async function runJob(request: JobRequest): Promise<EndedJob> {
  return finishJob(await startJob(request))
}

/** Waits for the end of a job in the same way. @throws ApiError */
export async function finishJob(job: Job): Promise<EndedJob> {
  const { items = [], change } = job.items ? job : await ended(job.id)
  for (const { kept, from, to } of items) reportKept(kept, to ?? from)
  return { items, change }
}

async function ended(id: string): Promise<Job> {
  await untilEnded(id)
  const job = await loadJob(id)
  // The waiting caller reports the outcome; without one the job stays in the panel until the user dismisses it.
  await forgetJob(id).catch(() => undefined)
  return job
}

/**
 * `GET /api/jobs`: lists the jobs as they are. What a response or an event brought meanwhile may be newer, and stays.
 * @throws ApiError
 */
export async function loadJobs(signal: AbortSignal): Promise<void> {
  const before = jobsStore.get()
  const loaded = await apiJson<Job[]>('/api/jobs', { signal })
  const now = jobsStore.get()
  const newer = now.filter(job => !before.includes(job))
  const changed = new Set([...newer, ...before.filter(job => !now.includes(job))].map(({ id }) => id))
  const user = sessionStore.get().user?.id
  const others = loaded.filter(({ id, userID }) => userID === user && !changed.has(id))
  jobsStore.set(newestFirst([...others, ...newer]))
}

/** `GET /api/jobs/{id}`: a job with its items. @throws ApiError */
export function loadJob(id: string): Promise<Job> {
  return apiJson<Job>(`/api/jobs/${id}`)
}

/** Cancels a job; completed items stay as they are. @throws ApiError */
export function cancelJob(id: string): Promise<void> {
  return change(`/api/jobs/${id}/cancel`, { method: 'POST' })
}

/** Pauses or resumes a job; completed items stay as they are. @throws ApiError */
export function pauseJob(id: string, paused: boolean): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  return change(`/api/jobs/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ paused } satisfies JobChange) })
}

async function change(path: string, init: ApiInit): Promise<void> {
  const { items: _items, ...job } = await apiJson<Job>(path, init)
  listJob(job)
}

/** Removes an ended job from the list; a job already removed is no error. @throws ApiError */
export async function forgetJob(id: string): Promise<void> {
  await unlessMissing(api(`/api/jobs/${id}`, { method: 'DELETE' }))
  unlistJob(id)
}

/** Lists a job, or its new state: a response that comes after the event of the end brings an older one. */
export function listJob(job: Job): void {
  if (job.userID !== sessionStore.get().user?.id) return
  const known = jobsStore.get().find(({ id }) => id === job.id)
  if (known?.ended !== undefined && job.ended === undefined) return
  const others = jobsStore.get().filter(other => other !== known)
  jobsStore.set(newestFirst([...others, job]))
}

const newestFirst = (jobs: readonly Job[]) => jobs.toSorted((a, b) => (a.created < b.created ? 1 : -1))

/** Removes a job from the list. */
export function unlistJob(id: string): void {
  jobsStore.set(jobsStore.get().filter(job => job.id !== id))
}

/** Settles when a job has ended or is no longer listed. */
function untilEnded(id: string): Promise<void> {
  return new Promise(resolve => {
    const check = () => {
      const job = jobsStore.get().find(other => other.id === id)
      if (job && job.ended === undefined) return
      stop()
      resolve()
    }
    const stop = jobsStore.subscribe(check)
    check()
  })
}

/** Clears the jobs of the previous user. */
export const forgetJobs = (): void => jobsStore.set([])
