import { useEffect } from 'react'
import { type FilePath, parentOf } from '../../../shared/path.ts'
import { followEvents, forgetJobs } from '../../lib/jobs.ts'
import { onArrival } from '../../lib/live-updates.ts'
import { type Route, useRoute } from '../../lib/router.tsx'
import { knownFolder, reloadFolder } from '../files/api/list.ts'
import { reloader } from './refresh-folders.ts'

/** Follows the jobs, and what happens in the folder that is on the screen. */
export function useLive(): void {
  const folder = folderOf(useRoute())
  useEffect(() => forgetJobs, [])
  useEffect(() => {
    const reload = reloader(reloadIfShown)
    const lookedAt = folder && { path: folder, seen: () => knownFolder(folder)?.modified }
    const stop = followEvents(lookedAt, reload.ask)
    // While uploads use all connections there are no events, and the server is only asked every now and then.
    const stopArrivals = onArrival(arrived => arrived === folder && reload.ask(arrived))
    return () => {
      stop()
      stopArrivals()
      reload.end()
    }
  }, [folder])
}

/** The folder on the screen, also below a file that is open. */
function folderOf(route: Route): FilePath | undefined {
  if (route.name !== 'files') return undefined
  return route.folderHint ? route.path : parentOf(route.path)
}

/** It may never have been loaded. */
async function reloadIfShown(path: FilePath): Promise<void> {
  if (knownFolder(path)) await reloadFolder(path)
}
