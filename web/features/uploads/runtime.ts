import { useSyncExternalStore } from 'react'
import { MAX_CONCURRENT_UPLOADS } from '../../../shared/limits.ts'
import { type FilePath, parentOf, parsePath } from '../../../shared/path.ts'
import { announce } from '../../lib/announce.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient } from '../../lib/query.ts'
import { sessionStore } from '../../lib/session.ts'
import { folderQuery, knownEntry, knownFolder, reloadFolders } from '../files/api/list.ts'
import { connectionsBusyStore, reportArrival, uploadFoldersStore } from '../files/api/live-updates.ts'
import { ifTrash } from '../files/operations/undo.ts'
import { followNetwork } from './follow-network.ts'
import { beginGesture, changeOfRun } from './gesture.ts'
import { discardInterrupted, QueueStorage, resumedJobs } from './interrupted.ts'
import { type JobFailure, targetOf } from './job.ts'
import { showPaleRows } from './pale-rows.tsx'
import { jobsFor, listDestinations } from './preflight.ts'
import { type NewJob, UploadQueue, type UploadSnapshot } from './queue.ts'
import { reasonText } from './reason-text.ts'
import { withinRoom } from './room.ts'
import { beginSummary, endSummary, noteArrival } from './summary.ts'
import { tallyText } from './tally-text.ts'
import { httpTransport } from './transport.ts'
import { reportUnkept } from './unkept.ts'
import type { Uploader } from './uploader.ts'
import type { Chosen, ChosenItem } from './walk.ts'

/** The queue of this page. */
export const uploads = new UploadQueue(httpTransport)

/** The user of this page. */
export const ownUploader: Uploader = {
  queue: uploads,
  list: folder => queryClient.fetchQuery({ ...folderQuery(folder), staleTime: 0 }),
  entry: knownEntry,
  reasonText,
}

/** Id of the uploads' user: they never continue under another account. */
let owner: number | undefined

/** Queues chosen files, after checking for conflicts. */
export async function startUpload(folder: FilePath, chosen: Chosen): Promise<void> {
  let gone = false
  // Where the check fails, the server reports conflicts file by file.
  const ask = (path: FilePath) =>
    queryClient.fetchQuery({ ...folderQuery(path), staleTime: 5000 }).catch((error: unknown) => {
      gone ||= path === folder && error instanceof ApiError && error.status === 404
    })
  await statFiles(chosen.items)
  await listDestinations(folder, chosen, knownFolder, ask)
  const jobs = await withinRoom(folder, jobsFor(folder, chosen, knownFolder))
  begin(gone ? jobs.map(job => ({ ...job, existing: undefined, failure: job.failure ?? GONE })) : jobs)
}

/** The server would create the folder again; that is for the user to decide. */
const GONE: JobFailure = { reason: 'folderGone', message: '' }

/** Resumes uploads of an earlier page. @param chosen the files, chosen again */
export async function continueInterrupted(chosen: Promise<Chosen>): Promise<void> {
  const found = await chosen
  await statFiles(found.items)
  const jobs = await resumedJobs(found)
  if (jobs.length > 0) begin(jobs)
}

/** Discards the uploads of an earlier page. */
export function forgetInterrupted(): Promise<void> {
  return discardInterrupted(({ path, copy }) => httpTransport.discard(targetOf({ path: parsePath(path), copy })))
}

function begin(jobs: readonly NewJob[]): void {
  owner = sessionStore.get().user?.id
  // What is added to a run belongs to it.
  if (!uploads.isRunning) {
    beginGesture()
    beginSummary()
  }
  announce(t('uploads.announceStart', { count: jobs.length }))
  uploads.add(jobs)
}

/** The queue's state; re-renders at most every 100 ms. */
export function useUploads(): UploadSnapshot {
  return useSyncExternalStore(subscribe, current)
}

const subscribe = (listener: () => void) => uploads.subscribe(listener)
const current = () => uploads.get()

const forgetPaleRows = showPaleRows(uploads)

// End of a run: empty queue, fresh listing, and a summary or a notice.
uploads.onSettled(report => {
  const { done, skipped, failed } = report
  reportUnkept()
  void (done > 0 ? reloadFolders() : Promise.resolve()).finally(forgetArriving)
  const changes = ifTrash([changeOfRun()]).filter(id => id !== undefined)
  const hasSummary = failed === 0 && endSummary(skipped, changes)
  if (failed > 0 || hasSummary) announce(tallyText(report))
  else if (done + skipped > 0) notify(done > 0 ? 'success' : 'info', tallyText(report))
})

uploads.onArrival((path, { file }) => {
  noteArrival(path, file !== undefined)
  reportArrival(parentOf(path))
})
uploads.subscribe(noteArriving)

/** A folder counts until the run has ended, so that it does not look empty before its listing is reloaded. */
function noteArriving(): void {
  const before = uploadFoldersStore.get()
  const running = uploads.get().jobs.filter(({ state }) => state === 'active' || state === 'queued')
  const more = running.map(({ path }) => parentOf(path)).filter(folder => !before.has(folder))
  if (more.length > 0) uploadFoldersStore.set(new Set([...before, ...more]))
}

function forgetArriving(): void {
  const { active, queued } = uploads.get().totals
  if (active + queued > 0) return
  uploadFoldersStore.set(new Set())
  forgetPaleRows()
}

const queueStorage = new QueueStorage(() => owner)
uploads.subscribe(() => queueStorage.note(uploads.get().jobs))

followNetwork(uploads)
uploads.subscribe(() => connectionsBusyStore.set(uploads.get().totals.active >= MAX_CONCURRENT_UPLOADS))

sessionStore.subscribe(() => {
  const { user, reason } = sessionStore.get()
  if (user ? owner !== undefined && user.id !== owner : reason === 'logout') {
    uploads.cancelAll()
    beginSummary()
  }
  if (user && uploads.get().paused === 'session') uploads.resume()
})

/** Milliseconds of work after which the page can update. */
const SLICE = 12

/**
 * Reads the size of all files, for which the browser calls stat the first time. Each takes about a millisecond and
 * blocks the page; ten thousand at once would take ten seconds.
 */
async function statFiles(items: readonly ChosenItem[]): Promise<void> {
  let until = performance.now() + SLICE
  for (const { file } of items) {
    if (file?.size === undefined || performance.now() < until) continue
    await new Promise(resolve => setTimeout(resolve))
    until = performance.now() + SLICE
  }
}
