import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { givesBackAtRest } from '../../worker-memory.ts'
import type { NamesSource } from './crawler.ts'
import { IndexService } from './index-service.ts'
import type { IndexRequest, IndexResponse, NamesSetup } from './messages.ts'
import type { IndexBackend, NamesStore } from './store.ts'

const NICENESS = 5

/** Sends responses to the parent thread. */
export const respondToHost = (response: IndexResponse): void => {
  const found = 'found' in response ? [response.found.facts.buffer, response.found.disks.buffer] : []
  parentPort?.postMessage(response, found)
}

/**
 * Runs the index service on the current thread, yielding to all other work.
 * @param from creates the backend and the source; receives the file's real path
 */
export function runIndexService<S extends NamesSetup, N extends NamesStore>(
  given: S,
  from: (setup: S) => { backend: IndexBackend<N>; source: NamesSource<N> },
): void {
  if (process.platform === 'linux') setPriority(0, NICENESS)
  const setup = { ...given, file: join(realpathSync(dirname(given.file)), basename(given.file)) }
  const { backend, source } = from(setup)
  const service = new IndexService(setup, backend, source, respondToHost)
  const hasWork = givesBackAtRest()
  parentPort?.on('message', (request: IndexRequest) => {
    hasWork()
    if (!('end' in request)) return service.handle(request)
    service.close()
    return parentPort?.close()
  })
  service.open()
}
