import { useEffect } from 'react'
import { type FilePath, parentOf } from '../../../shared/path.ts'
import { followEvents, forgetJobs } from '../../lib/jobs.ts'
import { onArrival } from '../../lib/live-updates.ts'
import { type Route, useRoute } from '../../lib/router.tsx'
import { knownFolder, reloadFolder } from '../files/api/list.ts'
import { folderRefresher } from './refresh-folders.ts'

/** Follows the jobs, and changes in the folder on the screen. */
export function useLive(): void {
  const folder = folderOf(useRoute())
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

/** The folder on the screen, also below an open file. */
function folderOf(route: Route): FilePath | undefined {
  if (route.name !== 'files') return undefined
  return route.folderHint ? route.path : parentOf(route.path)
}

/** It may never have been loaded. */
async function reloadIfShown(path: FilePath): Promise<void> {
  if (knownFolder(path)) await reloadFolder(path)
}
