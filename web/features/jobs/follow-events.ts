import { encodePath, type FilePath } from '../../../shared/path.ts'
import { readEvents } from '../../lib/event-stream.ts'
import { factorDutyStore } from '../../lib/factor-duty.ts'
import { queryClient } from '../../lib/query.ts'
import { listJob, loadJobs, unlistJob } from '../files/api/jobs.ts'
import { connectionsBusyStore } from '../files/api/live-updates.ts'
import { followedFolderStore } from '../files/api/locks.ts'
import { reloadRemarks } from '../files/api/remarks.ts'

/** Polling interval in milliseconds where events do not arrive. */
const POLL_INTERVAL = 1500
/** Milliseconds in which changes are collected before the meter of the storage is asked for. */
const METER_DELAY = 500
/** Milliseconds before the event stream is reopened. */
const RECONNECT_DELAY = 1500
/** Events after which the queries of that name are no longer current. */
const REFETCHED = ['trash', 'lock', 'factors', 'places']
/** Those of them that no event announces for the time before the stream began. */
const REFETCHED_AT_START = ['trash', 'lock']

/** What is on the screen. */
export interface Watched {
  folder: WatchedFolder | undefined
  /** Whether changes of other users are listed. */
  changes: boolean
}

export interface EventListener {
  /** The content of the folder may have changed. */
  onFolder(path: FilePath): void
  /** A change was recorded, has grown, or was undone; `undefined` if any may have. */
  onChange(id: string | undefined): void
}

/** A folder on the screen. */
export interface WatchedFolder {
  path: FilePath
  /** Its modification time as last listed, if listed. */
  seen(): string | undefined
  /** Waits for its first listing, within bounds. */
  listed?(signal: AbortSignal): Promise<void>
}

/**
 * Keeps the store current while the page is visible: by the event stream, or by polling where that does not arrive. A
 * page in the background holds no connection, of which browsers allow few; nor does one that uploads.
 * @returns the function that stops
 */
export function followEvents(watched: Watched, listener: EventListener): () => void {
  const end = new AbortController()
  void follow(end.signal, watched, listener)
  return () => end.abort()
}

async function follow(end: AbortSignal, watched: Watched, listener: EventListener) {
  let missed = false
  while (!end.aborted) {
    await untilVisible(end)
    const hidden = new AbortController()
    const onHide = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', onHide)
    const signal = AbortSignal.any([end, hidden.signal])
    try {
      await watched.folder?.listed?.(signal)
      if (missed) {
        await loadJobs(signal)
        reportMissed(watched, listener)
      }
      missed = true
      await listen(signal, watched, listener)
    } catch {
      // A lost connection: the next attempt follows.
    } finally {
      document.removeEventListener('visibilitychange', onHide)
    }
    if (!hidden.signal.aborted) await pause(RECONNECT_DELAY, end)
  }
}

/**
 * Streams until the stream ends, and polls until its first event; only polls where none ever arrives, and while uploads
 * use the connections. The jobs are loaded once the stream has begun, which announces every later change of them.
 */
async function listen(signal: AbortSignal, watched: Watched, listener: EventListener) {
  if (connectionsBusyStore.get()) {
    await loadJobs(signal)
    followedFolderStore.set(watched.folder?.path)
    return pollWhile(connectionsBusyStore.get, signal, watched, listener)
  }
  const crowded = new AbortController()
  const stop = connectionsBusyStore.subscribe(() => connectionsBusyStore.get() && crowded.abort())
  let silent = true
  const end = () => {
    silent = false
  }
  const onEvent = (name: string, data: string) => {
    if (name === 'job') listJob(JSON.parse(data))
    else if (name === 'gone') unlistJob(JSON.parse(data).id)
    else if (REFETCHED.includes(name)) refetch(name)
    else if (name === 'change') {
      listener.onChange(JSON.parse(data).id)
      refreshMeter()
    } else if (name === 'quota') refreshMeter()
    else if (name === 'remarks') void reloadRemarks()
    else if (name === 'folder' && watched.folder) listener.onFolder(watched.folder.path)
    if (name === 'factors') factorDutyStore.set(true)
    // They are listed at the top of the user's files.
    if (name === 'places' && watched.folder) listener.onFolder(watched.folder.path)
  }
  const asking = pollWhile(() => silent, signal, watched, listener)
  asking.catch(end)
  try {
    const both = AbortSignal.any([signal, crowded.signal])
    const isSeen = watched.folder?.seen() !== undefined
    const onOpen = () => {
      end()
      // What changed after it was loaded and before the stream began; the server compares a folder that was seen.
      reportAll(isSeen ? { ...watched, folder: undefined } : watched, listener)
      followedFolderStore.set(watched.folder?.path)
      void loadJobs(signal).catch(() => undefined)
    }
    const spoke = await readEvents(`/api/events${queryFor(watched)}`, both, { onOpen, onEvent })
    if (!spoke) await asking
  } catch (error) {
    if (!crowded.signal.aborted) throw error
  } finally {
    end()
    stop()
  }
}

function queryFor({ folder, changes }: Watched): string {
  const seen = folder?.seen()
  const parts = [
    ...(folder ? [`folder=${encodePath(folder.path).replaceAll('/', '%2F')}`] : []),
    ...(seen === undefined ? [] : [`seen=${encodeURIComponent(seen)}`]),
    ...(changes ? ['changes=true'] : []),
  ]
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

function refetch(name: string): void {
  void queryClient.invalidateQueries({ queryKey: [name] })
}

let meterTimer: ReturnType<typeof setTimeout> | undefined

/** What is stored has changed, in whatever folder and by whichever device. */
function refreshMeter(): void {
  meterTimer ??= setTimeout(() => {
    meterTimer = undefined
    refetch('usage')
  }, METER_DELAY)
}

function reportAll({ folder, changes }: Watched, listener: EventListener): void {
  REFETCHED_AT_START.forEach(refetch)
  if (folder) listener.onFolder(folder.path)
  if (changes) listener.onChange(undefined)
}

/** After a stream that ended, as it does with what its user may no longer see. */
function reportMissed(watched: Watched, listener: EventListener): void {
  refetch('places')
  reportAll(watched, listener)
}

/** Polls as long as `wanted` returns true. @throws ApiError */
async function pollWhile(
  isWanted: () => boolean,
  signal: AbortSignal,
  watched: Watched,
  listener: EventListener,
): Promise<void> {
  for (;;) {
    await pause(POLL_INTERVAL, signal)
    if (signal.aborted || !isWanted()) return
    await loadJobs(signal)
    reportAll(watched, listener)
    followedFolderStore.set(watched.folder?.path)
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
