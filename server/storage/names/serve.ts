import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { givesBackAtRest } from '../../threads.ts'
import { NamesDesk } from './desk.ts'
import type { NamesAnswer, NamesAsk, NamesSetup } from './messages.ts'
import type { NamesSource } from './source.ts'

const NICENESS = 5

/**
 * Keeps an index of names on the thread it is called on, which lets all others go first.
 * @param from makes the source; it is told the file's real path
 */
export function serveNames<S extends NamesSetup>(given: S, from: (setup: S) => NamesSource): void {
  if (process.platform === 'linux') setPriority(0, NICENESS)
  const setup = { ...given, file: join(realpathSync(dirname(given.file)), basename(given.file)) }
  const desk = new NamesDesk(setup, from(setup), (answer: NamesAnswer) => {
    const found = 'found' in answer ? [answer.found.facts.buffer, answer.found.disks.buffer] : []
    parentPort?.postMessage(answer, found)
  })
  const hasWork = givesBackAtRest()
  parentPort?.on('message', (ask: NamesAsk) => {
    hasWork()
    if (!('end' in ask)) return desk.take(ask)
    desk.close()
    return parentPort?.close()
  })
  desk.open()
}
