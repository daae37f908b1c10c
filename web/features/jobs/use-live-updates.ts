import { useEffect } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import { folderOf, useRoute } from '../../lib/router.tsx'
import { forgetJobs } from '../files/api/jobs.ts'
import { knownFolder, reloadFolder } from '../files/api/list.ts'
import { onArrival } from '../files/api/live-updates.ts'
import { followEvents } from './follow-events.ts'
import { folderRefresher } from './refresh-folders.ts'

/** Follows the jobs, and changes in the folder on the screen. */
export function useLiveUpdates(): void {
  const route = useRoute()
  const folder = route.name === 'files' ? folderOf(route) : undefined
  useEffect(() => forgetJobs, [])
  useEffect(() => {
    const reload = folderRefresher(reloadIfShown)
    const lookedAt = folder && { path: folder, seen: () => knownFolder(folder)?.modified }
    const stop = followEvents(lookedAt, reload.ask)
    // While uploads use all connections there are no events, and the server is polled instead.
    const stopArrivals = onArrival(arrived => arrived === folder && reload.ask(arrived))
    return () => {
      stop()
      stopArrivals()
      reload.end()
    }
  }, [folder])
}

/** It may never have been loaded. */
async function reloadIfShown(path: FilePath): Promise<void> {
  if (knownFolder(path)) await reloadFolder(path)
}
