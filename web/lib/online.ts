import { pageConfig } from './config.ts'
import { createStore, useStore } from './store.ts'

/** Milliseconds between two probes of an unreachable server. */
const PROBE_INTERVAL = 3000
/** Timeout of a probe in milliseconds: it may have to queue for a connection that uploads use. */
const PROBE_TIMEOUT = 10_000

/** Whether the server is reachable. */
export const onlineStore = createStore(true)

let following = false
let looking = false
let next: ReturnType<typeof setTimeout> | undefined

/**
 * Starts watching. The browser's network state only triggers a probe: a server on the same machine responds without a
 * network.
 */
export function followNetwork(): void {
  following = true
  for (const change of ['offline', 'online']) addEventListener(change, () => void probe())
  if (!navigator.onLine) void probe()
}

/** The same for components; re-renders when it changes. */
export function useOnline(): boolean {
  return useStore(onlineStore)
}

/** A call had no response: it may have failed alone, so the server is probed before it counts as unreachable. */
export function reportNoResponse(): void {
  if (following && onlineStore.get() && !looking) void probe()
}

/** A call had a response, whatever its status. */
export function reportResponse(): void {
  onlineStore.set(true)
}

/** Probes the server, repeatedly while it does not respond. */
async function probe(): Promise<void> {
  if (looking) return
  clearTimeout(next)
  looking = true
  onlineStore.set(await answers())
  looking = false
  // The browser may report the lost network a moment before connections end.
  const isDoubtful = () => !onlineStore.get() || !navigator.onLine
  if (isDoubtful()) next = setTimeout(() => isDoubtful() && void probe(), PROBE_INTERVAL)
}

async function answers(): Promise<boolean> {
  try {
    await fetch(`${pageConfig.BaseURL}/health`, { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT) })
    return true
  } catch {
    return false
  }
}
