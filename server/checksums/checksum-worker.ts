import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { DigestAnswer, DigestAsk } from './running-checksums.ts'

// Hashes on a thread of its own: a file of many gigabytes keeps a processor busy for minutes.
const hashes = new Map<number, Hash>()

parentPort?.on('message', (ask: DigestAsk) => {
  const hash = hashes.get(ask.id) ?? createHash(ask.algorithm)
  hashes.set(ask.id, hash)
  if (ask.piece) hash.update(ask.piece)
  if (!ask.last) return answer({ id: ask.id })
  hashes.delete(ask.id)
  return answer({ id: ask.id, digest: hash.digest('hex') })
})

function answer(message: DigestAnswer): void {
  parentPort?.postMessage(message)
}
