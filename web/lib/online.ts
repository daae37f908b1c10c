import { pageConfig } from './config.ts'
import { createStore, useStore } from './store.ts'

/** Milliseconds between two looks whether the server is back. */
const LOOK_EVERY = 3000
/** Milliseconds after which a look counts as failed: it may have to wait for a connection that uploads use. */
const LOOK_FOR = 10_000

/** Whether the server answers. */
export const onlineStore = createStore(true)

let following = false
let looking = false
let next: ReturnType<typeof setTimeout> | undefined

/**
 * From now on the store follows the server. What the browser says of the network is only a reason to look: a server on
 * the same machine answers without one.
 */
export function followNetwork(): void {
  following = true
  for (const change of ['offline', 'online']) addEventListener(change, () => void look())
  if (!navigator.onLine) void look()
}

/** The same for components, which render again when it changes. */
export function useOnline(): boolean {
  return useStore(onlineStore)
}

/** A call had no answer: that may be its own fault, so the server is asked before it counts as gone. */
export function noteLost(): void {
  if (following && onlineStore.get() && !looking) void look()
}

/** A call had an answer, whichever. */
export function noteAnswer(): void {
  onlineStore.set(true)
}

/** Asks whether the server answers, again and again as long as it does not. */
async function look(): Promise<void> {
  if (looking) return
  clearTimeout(next)
  looking = true
  onlineStore.set(await answers())
  looking = false
  // The browser may say that it has no network a moment before connections end.
  const isDoubtful = () => !onlineStore.get() || !navigator.onLine
  if (isDoubtful()) next = setTimeout(() => isDoubtful() && void look(), LOOK_EVERY)
}

async function answers(): Promise<boolean> {
  try {
    await fetch(`${pageConfig.BaseURL}/health`, { cache: 'no-store', signal: AbortSignal.timeout(LOOK_FOR) })
    return true
  } catch {
    return false
  }
}
