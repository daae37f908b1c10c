import { useSyncExternalStore } from 'react'
import { MAX_CONCURRENT_UPLOADS } from '../../../shared/limits.ts'
import type { FilePath } from '../../../shared/path.ts'
import { announce } from '../../lib/announce.ts'
import { t } from '../../lib/i18n/index.ts'
import { crowdedStore } from '../../lib/live.ts'
import { notify } from '../../lib/notices.ts'
import { sessionStore } from '../../lib/session.ts'
import { knownFolder, reloadFolders } from '../files/api/list.ts'
import { jobsFor } from './preflight.ts'
import { UploadQueue, type UploadSnapshot } from './queue.ts'
import { httpTransport } from './transport.ts'
import type { Chosen } from './walk.ts'

/** The queue of this page. */
export const uploads = new UploadQueue(httpTransport)

/** Whose uploads these are: they never go on under another account. */
let owner: number | undefined

/** Puts what was chosen into the queue. */
export function startUpload(folder: FilePath, chosen: Chosen): void {
  owner = sessionStore.get().user?.id
  const jobs = jobsFor(folder, chosen, knownFolder)
  announce(t('uploads.announceStart', { count: jobs.length }))
  uploads.add(jobs)
}

/** The queue's state; renders again at most every 100 ms. */
export function useUploads(): UploadSnapshot {
  return useSyncExternalStore(subscribe, current)
}

const subscribe = (listener: () => void) => uploads.subscribe(listener)
const current = () => uploads.get()

// A finished run: notice, empty queue, fresh listing (specification section 4).
uploads.onSettled(({ done, failed }) => {
  if (done > 0) void reloadFolders()
  if (failed > 0) announce(t('uploads.failedCount', { count: failed }))
  else if (done > 0) notify('success', t('uploads.done', { count: done }))
})

uploads.subscribe(() => crowdedStore.set(uploads.get().totals.active >= MAX_CONCURRENT_UPLOADS))

addEventListener('online', () => {
  if (uploads.get().paused === 'offline') uploads.resume()
})

sessionStore.subscribe(() => {
  const { user, reason } = sessionStore.get()
  if (user ? user.id !== owner : reason === 'logout') uploads.cancelAll()
  if (user && uploads.get().paused === 'session') uploads.resume()
})
