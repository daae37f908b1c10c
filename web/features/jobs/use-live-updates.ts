import { useEffect } from 'react'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { pageConfig } from '../../lib/config.ts'
import { folderOf, useRoute } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { reportChange, shownChangesStore } from '../files/api/changes.ts'
import { forgetJobs } from '../files/api/jobs.ts'
import { knownFolder, reloadFolder } from '../files/api/list.ts'
import { onArrival } from '../files/api/live-updates.ts'
import { followEvents } from './follow-events.ts'
import { folderRefresher } from './refresh-folders.ts'

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
    const lookedAt = folder && { path: folder, seen: () => (isTop ? undefined : knownFolder(folder)?.modified) }
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
