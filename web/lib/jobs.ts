import type { Job, JobChange, JobItem, JobRequest } from '../../shared/api/jobs.ts'
import { encodePath, type FilePath } from '../../shared/path.ts'
import { ApiError, type ApiInit, api, apiJson } from './api.ts'
import { readEvents } from './event-stream.ts'
import { connectionsBusyStore } from './live-updates.ts'
import { sessionStore } from './session.ts'
import { createStore } from './store.ts'

/** Polling interval in milliseconds where events do not arrive. */
const ASK_EVERY = 1500
/** Milliseconds before the event stream is reopened. */
const PAUSE = 1500

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
  const headers = { 'Content-Type': 'application/json' }
  const job = await apiJson<Job>('/api/jobs', { method: 'POST', headers, body: JSON.stringify(request) })
  if (!job.items) put(job)
  return job
}

/**
 * Creates a job and waits for its end, however long that takes; the job panel shows its progress in the meantime.
 * @returns the result of each item
 * @throws ApiError when the job was refused, or its outcome is no longer known
 */
export async function runJob(request: JobRequest): Promise<readonly JobItem[]> {
  const job = await startJob(request)
  if (job.items) return job.items
  await untilEnded(job.id)
  const { items = [] } = await loadJob(job.id)
  // The waiting caller reports the outcome; without one the job stays in the panel until the user dismisses it.
  await forgetJob(job.id).catch(() => undefined)
  return items
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
  put(job)
}

/** Removes an ended job from the list; a job already removed is no error. @throws ApiError */
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

async function refresh(signal: AbortSignal): Promise<void> {
  const jobs = await apiJson<Job[]>('/api/jobs', { signal })
  const user = sessionStore.get().user?.id
  jobsStore.set(jobs.filter(({ userID }) => userID === user))
}

/** A folder on the screen. */
export interface WatchedFolder {
  path: FilePath
  /** Its modification time as last listed, if listed. */
  seen(): string | undefined
}

/**
 * Keeps the store current while the page is visible: by the event stream, or by polling where that does not arrive. A
 * page in the background holds no connection, of which browsers allow few; nor does one that uploads.
 * @param folder the folder on the screen, notified when its content may have changed
 * @returns the function that stops
 */
export function followEvents(folder: WatchedFolder | undefined, onFolder: (path: FilePath) => void): () => void {
  const end = new AbortController()
  void follow(end.signal, folder, onFolder)
  return () => end.abort()
}

/** Clears the jobs of the previous user. */
export const forgetJobs = (): void => jobsStore.set([])

async function follow(end: AbortSignal, folder: WatchedFolder | undefined, onFolder: (path: FilePath) => void) {
  let missed = false
  while (!end.aborted) {
    await untilVisible(end)
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
      // A lost connection: the next attempt follows.
    } finally {
      document.removeEventListener('visibilitychange', onHide)
    }
    if (!hidden.signal.aborted) await pause(PAUSE, end)
  }
}

/**
 * Streams until the stream ends, and polls until its first event; only polls where none ever arrives, and while uploads
 * use the connections.
 */
async function listen(signal: AbortSignal, folder: WatchedFolder | undefined, onFolder: (path: FilePath) => void) {
  if (connectionsBusyStore.get()) return pollWhile(connectionsBusyStore.get, signal, folder, onFolder)
  const crowded = new AbortController()
  const stop = connectionsBusyStore.subscribe(() => connectionsBusyStore.get() && crowded.abort())
  let silent = true
  const end = () => {
    silent = false
  }
  const onEvent = (name: string, data: string) => {
    if (name === 'job') put(JSON.parse(data))
    else if (name === 'gone') drop(JSON.parse(data).id)
    else if (name === 'folder' && folder) onFolder(folder.path)
  }
  const asking = pollWhile(() => silent, signal, folder, onFolder)
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

function queryFor(folder: WatchedFolder | undefined): string {
  if (!folder) return ''
  const seen = folder.seen()
  const path = encodePath(folder.path).replaceAll('/', '%2F')
  return `?folder=${path}${seen === undefined ? '' : `&seen=${encodeURIComponent(seen)}`}`
}

/** Polls as long as `wanted` returns true. @throws ApiError */
async function pollWhile(
  isWanted: () => boolean,
  signal: AbortSignal,
  folder: WatchedFolder | undefined,
  onFolder: (path: FilePath) => void,
): Promise<void> {
  for (;;) {
    await pause(ASK_EVERY, signal)
    if (signal.aborted || !isWanted()) return
    await refresh(signal)
    if (folder) onFolder(folder.path)
  }
}

function untilVisible(end: AbortSignal): Promise<void> {
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
