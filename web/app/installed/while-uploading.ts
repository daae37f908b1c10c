import { startedStore } from '../../features/uploads/launch.ts'

/** Not all browsers have it. */
type WakeLocks = { request(type: 'screen'): Promise<{ release(): Promise<void> }> }

/**
 * While files are uploaded, the screen of a phone stays on, which would otherwise stop them, and the icon of the
 * installed app shows how many are left.
 */
export function watchUploads(): void {
  const start = async () => {
    if (!startedStore.get()) return
    stop()
    const { uploads } = await import('../../features/uploads/runtime.ts')
    const follow = () => {
      const { active, queued } = uploads.get().totals
      showLeft(active + queued)
      void keepScreenOn(active > 0)
    }
    uploads.subscribe(follow)
    // Browsers end the lock of a page that is hidden.
    document.addEventListener('visibilitychange', follow)
    follow()
  }
  const stop = startedStore.subscribe(() => void start())
}

let shown = 0

function showLeft(left: number): void {
  if (left === shown) return
  shown = left
  // The badge is a courtesy: it needs a permission on some systems.
  if ('setAppBadge' in navigator) void navigator.setAppBadge(left).catch(() => undefined)
}

let lock: Promise<{ release(): Promise<void> } | undefined> | undefined

async function keepScreenOn(wanted: boolean): Promise<void> {
  const { wakeLock } = navigator as { wakeLock?: WakeLocks }
  if (!wakeLock) return
  if (wanted && document.visibilityState === 'visible') {
    lock ??= wakeLock.request('screen').catch(() => undefined)
    return
  }
  const held = lock
  lock = undefined
  await (await held)?.release()
}
