import { useEffect } from 'react'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { pageConfig } from '../../lib/config.ts'
import { queryClient } from '../../lib/query.ts'
import { folderOf, useRoute } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { reportChange, shownChangesStore } from '../files/api/changes.ts'
import { forgetJobs } from '../files/api/jobs.ts'
import { folderKey, knownFolder, reloadFolder } from '../files/api/list.ts'
import { onArrival } from '../files/api/live-updates.ts'
import { followEvents } from './follow-events.ts'
import { folderRefresher } from './refresh-folders.ts'

/** Milliseconds that events wait for a folder to be listed. One that begins before has it listed again. */
const LISTING_WAIT = 1500

/** Follows the jobs, changes in the folder on the screen, and recorded changes. */
export function useLiveUpdates(): void {
  const route = useRoute()
  const changes = useStore(shownChangesStore) > 0
  const folder = route.name === 'files' ? folderOf(route) : undefined
  useEffect(() => forgetJobs, [])
  useEffect(() => {
    const reload = folderRefresher(reloadIfShown)
    // Folders of other roots come and go without a new time of the folder that has them.
    const isTop = folder === ROOT && pageConfig.Mounts
    const lookedAt = folder && {
      path: folder,
      seen: () => (isTop ? undefined : knownFolder(folder)?.modified),
      listed: (signal: AbortSignal) => untilListed(folder, signal),
    }
    const watched = { folder: lookedAt, changes }
    const stop = followEvents(watched, { onFolder: reload.ask, onChange: reportChange })
    // While uploads use all connections there are no events, and the server is polled instead.
    const stopArrivals = onArrival(arrived => arrived === folder && reload.ask(arrived))
    return () => {
      stop()
      stopArrivals()
      reload.end()
    }
  }, [folder, changes])
}

/** It may never have been loaded. */
async function reloadIfShown(path: FilePath): Promise<void> {
  if (knownFolder(path)) await reloadFolder(path)
}

/** Waits until a folder is listed or cannot be, at most for `LISTING_WAIT`. */
function untilListed(path: FilePath, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      unsubscribe()
      clearTimeout(timer)
      resolve()
    }
    const check = () => (queryClient.getQueryState(folderKey(path))?.status ?? 'pending') !== 'pending' && end()
    const unsubscribe = queryClient.getQueryCache().subscribe(check)
    const timer = setTimeout(end, LISTING_WAIT)
    signal.addEventListener('abort', end)
    check()
  })
}
