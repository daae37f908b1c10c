import { useEffect } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import { followEvents, forgetJobs } from '../../lib/jobs.ts'
import { useRoute } from '../../lib/router.tsx'
import { knownFolder, reloadFolder } from '../files/api/list.ts'
import { reloader } from './reloader.ts'

/** Follows the jobs, and what happens in the folder that is on the screen. */
export function useLive(): void {
  const route = useRoute()
  const folder = route.name === 'files' ? route.path : undefined
  useEffect(() => forgetJobs, [])
  useEffect(() => {
    const reload = reloader(reloadIfShown)
    const stop = followEvents(folder, reload.ask)
    return () => {
      stop()
      reload.end()
    }
  }, [folder])
}

/** The address may lead to a file, whose folder was never loaded. */
async function reloadIfShown(path: FilePath): Promise<void> {
  if (knownFolder(path)) await reloadFolder(path)
}
