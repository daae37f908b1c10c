import type { FilePath } from '../../../shared/path.ts'
import { heldStore } from '../../lib/live.ts'

/** How many times longer than its loading took a listing stays before it is loaded again. */
const REST = 8
/** Milliseconds between two loadings at least. */
const AT_LEAST = 300

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
    await new Promise(resolve => setTimeout(resolve, Math.max(AT_LEAST, REST * (Date.now() - began))))
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
