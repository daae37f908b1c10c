import { pageConfig } from './config.ts'
import { createStore, useStore } from './store.ts'

/** Milliseconds between two looks whether the server is back. */
const LOOK_EVERY = 3000
/** Milliseconds after which a look counts as failed: it may have to wait for a connection that uploads use. */
const LOOK_FOR = 10_000

/** Whether there is a network and the server behind it answers. */
export const onlineStore = createStore(true)

let following = false
let reachable = true
let looking = false
let next: ReturnType<typeof setTimeout> | undefined

/** From now on the store is true. Until then it stays as it is. */
export function followNetwork(): void {
  following = true
  addEventListener('offline', update)
  addEventListener('online', () => {
    update()
    if (!reachable) void look()
  })
  update()
}

/** The same for components, which render again when it changes. */
export function useOnline(): boolean {
  return useStore(onlineStore)
}

/** A call had no answer: that may be its own fault, so the server is asked before it counts as gone. */
export function noteLost(): void {
  if (following && reachable && !looking) void look()
}

/** A call had an answer, whichever. */
export function noteAnswer(): void {
  if (!reachable) settle(true)
}

function update(): void {
  onlineStore.set(reachable && navigator.onLine)
}

function settle(answers: boolean): void {
  reachable = answers
  update()
}

/** Asks whether the server answers, again and again as long as it does not. */
async function look(): Promise<void> {
  if (looking) return
  clearTimeout(next)
  looking = true
  settle(await answers())
  looking = false
  if (!reachable) next = setTimeout(() => !reachable && void look(), LOOK_EVERY)
}

async function answers(): Promise<boolean> {
  try {
    await fetch(`${pageConfig.BaseURL}/health`, { cache: 'no-store', signal: AbortSignal.timeout(LOOK_FOR) })
    return true
  } catch {
    return false
  }
}
