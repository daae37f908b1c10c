import { watch } from 'node:fs'
import type { FilePath } from '../../../shared/path.ts'
import { isHiddenName } from './desktop-can.ts'
import { type Handle, hold } from './handle.ts'
import { nativePath } from './native-path.ts'
import { locateFolder, type Scope } from './resolve-path.ts'

/** Polling interval in milliseconds, for file systems without notifications. */
const POLL_EVERY = 1500

/** Notifies of changes in a folder by any program; see the driver contract. */
export async function watchFolder(scope: Scope, folder: FilePath, notify: () => void): Promise<() => void> {
  const { handle } = await locateFolder(scope, folder)
  handle.close()
  const stopNotifications = followNotifications(scope, handle, notify)
  const stopPolling = pollTimes(scope, handle, notify)
  return () => {
    stopNotifications()
    stopPolling()
  }
}

/** Kernel notifications, where they are supported and the limit is not reached. */
function followNotifications({ stagingKey }: Scope, { real }: Handle, notify: () => void): () => void {
  try {
    const watcher = watch(nativePath(real), { persistent: false }, (_event, name) => {
      if (name === null || !isHiddenName(stagingKey, real, name)) notify()
    })
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}

/** Polls the folder's own timestamps, which change with its list of names on every file system. */
function pollTimes({ level }: Scope, { real, stat }: Handle, notify: () => void): () => void {
  let known = stat.ctimeNs
  const poll = async () => {
    const now = await hold(level, nativePath(real)).catch(() => undefined)
    now?.close()
    const time = now?.stat.ctimeNs ?? -1n
    if (time !== known) notify()
    known = time
  }
  const timer = setInterval(() => void poll(), POLL_EVERY).unref()
  return () => clearInterval(timer)
}
