import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { DigestRequest, DigestResponse } from './running-checksums.ts'

// Hashes on a worker thread: a file of many gigabytes keeps a processor busy for minutes.
const hashes = new Map<number, Hash>()

parentPort?.on('message', (request: DigestRequest) => {
  const hash = hashes.get(request.id) ?? createHash(request.algorithm)
  hashes.set(request.id, hash)
  if (request.piece) hash.update(request.piece)
  if (!request.last) return respond({ id: request.id })
  hashes.delete(request.id)
  return respond({ id: request.id, digest: hash.digest('hex') })
})

function respond(message: DigestResponse): void {
  parentPort?.postMessage(message)
}
