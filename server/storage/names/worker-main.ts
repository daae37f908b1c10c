import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { givesBackAtRest } from '../../worker-memory.ts'
import type { NamesSource } from './crawler.ts'
import { NamesDesk } from './index-service.ts'
import type { NamesAnswer, NamesAsk, NamesSetup } from './messages.ts'
import type { NamesShelf, NamesStore } from './store.ts'

const NICENESS = 5

/** Answers for the thread to which it is told. */
export const answerHost = (answer: NamesAnswer): void => {
  const found = 'found' in answer ? [answer.found.facts.buffer, answer.found.disks.buffer] : []
  parentPort?.postMessage(answer, found)
}

/**
 * Keeps an index of names on the thread it is called on, which lets all others go first.
 * @param from makes what it is kept in, and the source; it is told the file's real path
 */
export function serveNames<S extends NamesSetup, N extends NamesStore>(
  given: S,
  from: (setup: S) => { shelf: NamesShelf<N>; source: NamesSource<N> },
): void {
  if (process.platform === 'linux') setPriority(0, NICENESS)
  const setup = { ...given, file: join(realpathSync(dirname(given.file)), basename(given.file)) }
  const { shelf, source } = from(setup)
  const desk = new NamesDesk(setup, shelf, source, answerHost)
  const hasWork = givesBackAtRest()
  parentPort?.on('message', (ask: NamesAsk) => {
    hasWork()
    if (!('end' in ask)) return desk.take(ask)
    desk.close()
    return parentPort?.close()
  })
  desk.open()
}
