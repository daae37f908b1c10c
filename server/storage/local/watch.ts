import { watch } from 'node:fs'
import type { FilePath } from '../../../shared/path.ts'
import { type Handle, hold } from './handle.ts'
import { nativePath } from './native-path.ts'
import { locateFolder, type Scope } from './resolve-path.ts'
import { isStagingName } from './temp-names.ts'

/** Milliseconds between two looks at the folder itself, for disks that tell nobody of changes. */
const LOOK_EVERY = 1500

/** Tells of changes in a folder, by whomever; see the driver contract. */
export async function watchFolder(scope: Scope, folder: FilePath, tell: () => void): Promise<() => void> {
  const { handle } = await locateFolder(scope, folder)
  handle.close()
  const stopNotices = followNotices(scope, handle, tell)
  const stopLooks = followTimes(scope, handle, tell)
  return () => {
    stopNotices()
    stopLooks()
  }
}

/** The system's own notices, where there are any and not too many are wanted. */
function followNotices({ stagingKey }: Scope, { real }: Handle, tell: () => void): () => void {
  try {
    const watcher = watch(nativePath(real), { persistent: false }, (_event, name) => {
      if (name === null || !isStagingName(stagingKey, name)) tell()
    })
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}

/** The folder's own times, which change with its list of names on every file system. */
function followTimes({ level }: Scope, { real, stat }: Handle, tell: () => void): () => void {
  let known = stat.ctimeNs
  const look = async () => {
    const now = await hold(level, nativePath(real)).catch(() => undefined)
    now?.close()
    const time = now?.stat.ctimeNs ?? -1n
    if (time !== known) tell()
    known = time
  }
  const timer = setInterval(() => void look(), LOOK_EVERY).unref()
  return () => clearInterval(timer)
}
