import type { FilePath } from '../../../shared/path.ts'
import { heldStore } from '../../lib/live-updates.ts'

/** Milliseconds between two loadings at least. */
const AT_LEAST = 300
/** How many times longer than its loading took a listing stays before it is loaded again… */
const REST = 8
/** …as long as that is not above this, in milliseconds: what changes shows within two seconds… */
const SOON = 1500
/** …unless loading takes so long that the server would do little else: then it stays this many times longer. */
const LEAST_REST = 3

/** Loads a listing again when somebody asks for it, but not more often than it can be borne. */
export function reloader(load: (path: FilePath) => Promise<void>) {
  let busy = false
  let wanted: FilePath | undefined
  let ended = false
  const run = async () => {
    if (busy || ended || wanted === undefined || heldStore.get() > 0) return
    busy = true
    const path = wanted
    wanted = undefined
    const began = Date.now()
    await load(path).catch(() => undefined)
    await new Promise(resolve => setTimeout(resolve, restAfter(Date.now() - began)))
    busy = false
    void run()
  }
  const stop = heldStore.subscribe(() => void run())
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

/** @param took milliseconds that the last loading took */
const restAfter = (took: number) => Math.max(AT_LEAST, Math.min(REST * took, SOON), LEAST_REST * took)
