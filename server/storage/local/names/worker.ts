import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { NamesDesk } from './desk.ts'
import type { NamesAnswer, NamesAsk, NamesSetup } from './messages.ts'

// Keeps an index of names on a thread of its own, which lets all others go first.
const NICENESS = 5
if (process.platform === 'linux') setPriority(0, NICENESS)

const setup: NamesSetup = workerData
const file = join(realpathSync(dirname(setup.file)), basename(setup.file))
const desk = new NamesDesk({ ...setup, file }, (answer: NamesAnswer) => {
  const found = 'found' in answer ? [answer.found.facts.buffer, answer.found.disks.buffer] : []
  parentPort?.postMessage(answer, found)
})

parentPort?.on('message', (ask: NamesAsk) => {
  if (!('end' in ask)) return desk.take(ask)
  desk.close()
  return parentPort?.close()
})
desk.open()
