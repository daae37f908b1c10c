import type { FilePath } from '../../../shared/path.ts'
import { suspendedStore } from '../files/api/live-updates.ts'

/** Minimum milliseconds between two reloads. */
const AT_LEAST = 300
/** Minimum pause as a multiple of the duration of the last load… */
const REST = 8
/** …capped at this many milliseconds: changes show within two seconds… */
const SOON = 1500
/** …unless loading takes so long that the server would do little else: then at least this multiple. */
const LEAST_REST = 3

/** Reloads a listing on request, at a limited rate. */
export function folderRefresher(load: (path: FilePath) => Promise<void>) {
  let busy = false
  let wanted: FilePath | undefined
  let ended = false
  const run = async () => {
    if (busy || ended || wanted === undefined || suspendedStore.get() > 0) return
    busy = true
    const path = wanted
    wanted = undefined
    const began = Date.now()
    await load(path).catch(() => undefined)
    await new Promise(resolve => setTimeout(resolve, restAfter(Date.now() - began)))
    busy = false
    void run()
  }
  const stop = suspendedStore.subscribe(() => void run())
  return {
    ask(path: FilePath) {
      wanted = path
      void run()
    },
    end() {
      ended = true
      stop()
    },
  }
}

/**
 * @param took duration of the last load in milliseconds
 */
const restAfter = (took: number) => Math.max(AT_LEAST, Math.min(REST * took, SOON), LEAST_REST * took)
