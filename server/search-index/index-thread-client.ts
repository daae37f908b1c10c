import { WorkerClient } from '../lib/worker-client.ts'
import { BUSY_THREAD } from '../worker-memory.ts'
import type { IndexCalls, IndexSetup } from './index-host.ts'
import type { IndexEvent } from './search-index.ts'

/** Milliseconds that the thread is given to save its work on closing. */
const GRACE = 2000

/** Starts the thread that keeps an index in a file. */
export function startIndexThread(setup: IndexSetup, report: (event: IndexEvent) => void) {
  const thread = new WorkerClient<IndexCalls>(new URL('./index-thread.ts', import.meta.url), {
    ...BUSY_THREAD,
    workerData: setup,
    onEvent: event => report(event as IndexEvent),
    onCrash: error => report({ event: 'stopped', reason: String(error) }),
  })
  thread.start()
  return {
    get isRunning() {
      return thread.isRunning
    },
    find: query => thread.stream('find', query),
    findTexts: query => thread.stream('findTexts', query),
    match: query => thread.request('match', query),
    sizes: query => thread.request('sizes', query),
    changed: path => thread.request('changed', path),
    listed: listing => thread.request('listed', listing),
    async close() {
      const timer = setTimeout(() => void thread.close(), GRACE)
      await thread.request('close', undefined).catch(() => {})
      clearTimeout(timer)
      await thread.close()
    },
  } satisfies IndexCalls & { readonly isRunning: boolean }
}
