import type { Job, JobChange, JobItem, JobRequest } from '../../shared/api/jobs.ts'
import { encodePath, type FilePath } from '../../shared/path.ts'
import { ApiError, type ApiInit, api, apiJson } from './api.ts'
import { readEvents } from './event-stream.ts'
import { crowdedStore } from './live-updates.ts'
import { sessionStore } from './session.ts'
import { createStore } from './store.ts'

/** Milliseconds between two questions where events do not come through. */
const ASK_EVERY = 1500
/** Milliseconds to wait before the stream of events is opened again. */
const PAUSE = 1500

/** The jobs of whoever is logged in that the server tells of, newest first. */
export const jobsStore = createStore<readonly Job[]>([])

/** Whether a job waits for the time that was chosen for it. */
export const isPlanned = ({ scheduled, started, ended }: Job): boolean =>
  scheduled && started === undefined && ended === undefined

/** Asks for a job. What was done at once comes with its items; else it goes on, and is followed. @throws ApiError */
export async function startJob(request: JobRequest): Promise<Job> {
  const headers = { 'Content-Type': 'application/json' }
  const job = await apiJson<Job>('/api/jobs', { method: 'POST', headers, body: JSON.stringify(request) })
  if (!job.items) put(job)
  return job
}

/**
 * Asks for a job and waits for its end, however long that takes; the panel of jobs shows how far it is meanwhile.
 * @returns the result of each item
 * @throws ApiError when it was refused, or nobody can say any more how it ended
 */
export async function runJob(request: JobRequest): Promise<readonly JobItem[]> {
  const job = await startJob(request)
  if (job.items) return job.items
  await untilEnded(job.id)
  const { items = [] } = await loadJob(job.id)
  // Whoever waits for it tells how it ended; otherwise it stays in the panel until somebody has seen it.
  await forgetJob(job.id).catch(() => undefined)
  return items
}

/** `GET /api/jobs/{id}`: a job with its items. @throws ApiError */
export function loadJob(id: string): Promise<Job> {
  return apiJson<Job>(`/api/jobs/${id}`)
}

/** Stops a job; what is done stays done. @throws ApiError */
export function cancelJob(id: string): Promise<void> {
  return change(`/api/jobs/${id}/cancel`, { method: 'POST' })
}

/** Interrupts a job, or lets it go on; what is done stays done. @throws ApiError */
export function pauseJob(id: string, paused: boolean): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  return change(`/api/jobs/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ paused } satisfies JobChange) })
}

async function change(path: string, init: ApiInit): Promise<void> {
  const { items: _items, ...job } = await apiJson<Job>(path, init)
  put(job)
}

/** Has a job that has ended forgotten; one that is gone already is fine. @throws ApiError */
export async function forgetJob(id: string): Promise<void> {
  await api(`/api/jobs/${id}`, { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  drop(id)
}

function put(job: Job): void {
  if (job.userID !== sessionStore.get().user?.id) return
  const others = jobsStore.get().filter(({ id }) => id !== job.id)
  jobsStore.set([...others, job].sort((a, b) => (a.created < b.created ? 1 : -1)))
}

function drop(id: string): void {
  jobsStore.set(jobsStore.get().filter(job => job.id !== id))
}

/** Settles when a job has ended or is no longer told of. */
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

async function refresh(signal: AbortSignal): Promise<void> {
  const jobs = await apiJson<Job[]>('/api/jobs', { signal })
  const user = sessionStore.get().user?.id
  jobsStore.set(jobs.filter(({ userID }) => userID === user))
}

/** A folder on the screen. */
export interface LookedAt {
  path: FilePath
  /** Its time as it was last listed, if it was. */
  seen(): string | undefined
}

/**
 * Keeps the store true while the page is seen: by the stream of events, or by asking where that does not come through. A
 * page in the background holds no connection, of which a browser allows few; neither does one that uploads.
 * @param folder that is on the screen, told of when something in it may have changed
 * @returns ends it
 */
export function followEvents(folder: LookedAt | undefined, onFolder: (path: FilePath) => void): () => void {
  const end = new AbortController()
  void follow(end.signal, folder, onFolder)
  return () => end.abort()
}

/** Forgets what was told of the one who was logged in. */
export const forgetJobs = (): void => jobsStore.set([])

async function follow(end: AbortSignal, folder: LookedAt | undefined, onFolder: (path: FilePath) => void) {
  let missed = false
  while (!end.aborted) {
    await untilSeen(end)
    const hidden = new AbortController()
    const onHide = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', onHide)
    const signal = AbortSignal.any([end, hidden.signal])
    try {
      await refresh(signal)
      if (missed && folder) onFolder(folder.path)
      missed = true
      await listen(signal, folder, onFolder)
    } catch {
      // A lost connection: another attempt follows.
    } finally {
      document.removeEventListener('visibilitychange', onHide)
    }
    if (!hidden.signal.aborted) await pause(PAUSE, end)
  }
}

/**
 * Listens until the stream ends, and asks until it speaks; where it never does, and as long as uploads take the
 * connections, only asks.
 */
async function listen(signal: AbortSignal, folder: LookedAt | undefined, onFolder: (path: FilePath) => void) {
  if (crowdedStore.get()) return askWhile(crowdedStore.get, signal, folder, onFolder)
  const crowded = new AbortController()
  const stop = crowdedStore.subscribe(() => crowdedStore.get() && crowded.abort())
  let silent = true
  const end = () => {
    silent = false
  }
  const onEvent = (name: string, data: string) => {
    if (name === 'job') put(JSON.parse(data))
    else if (name === 'gone') drop(JSON.parse(data).id)
    else if (name === 'folder' && folder) onFolder(folder.path)
  }
  const asking = askWhile(() => silent, signal, folder, onFolder)
  asking.catch(end)
  try {
    const both = AbortSignal.any([signal, crowded.signal])
    const spoke = await readEvents(`/api/events${queryFor(folder)}`, both, { onOpen: end, onEvent })
    if (!spoke) await asking
  } catch (error) {
    if (!crowded.signal.aborted) throw error
  } finally {
    end()
    stop()
  }
}

function queryFor(folder: LookedAt | undefined): string {
  if (!folder) return ''
  const seen = folder.seen()
  const path = encodePath(folder.path).replaceAll('/', '%2F')
  return `?folder=${path}${seen === undefined ? '' : `&seen=${encodeURIComponent(seen)}`}`
}

/** Asks every now and then, as long as that is wanted. @throws ApiError */
async function askWhile(
  isWanted: () => boolean,
  signal: AbortSignal,
  folder: LookedAt | undefined,
  onFolder: (path: FilePath) => void,
): Promise<void> {
  for (;;) {
    await pause(ASK_EVERY, signal)
    if (signal.aborted || !isWanted()) return
    await refresh(signal)
    if (folder) onFolder(folder.path)
  }
}

function untilSeen(end: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const check = () => {
      if (document.hidden && !end.aborted) return
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    document.addEventListener('visibilitychange', check)
    end.addEventListener('abort', check, { once: true })
    check()
  })
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(stop, milliseconds)
    signal.addEventListener('abort', stop)
  })
}
