/** One call as the client made it: the path as sent, with the base URL and without the query. */
export interface Observed {
  method: string
  path: string
  status: number
}

type Watcher = (call: Observed) => void

const watchers = new Set<Watcher>()

/** Calls the observer for every completed call from now on. */
export const watchCalls = (watcher: Watcher): unknown => watchers.add(watcher)

/** Records a call. `target` may be a request target or a whole URL. */
export function observe(method: string, target: string, status: number): void {
  const path = target.replace(/^\w+:\/\/[^/]+/, '').replace(/[?#].*$/s, '')
  for (const watcher of watchers) watcher({ method, path, status })
}
