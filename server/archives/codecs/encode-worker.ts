import { parentPort } from 'node:worker_threads'
import { type Done, type Job, METHODS } from './encoders.ts'

// Compresses blocks on a thread of its own: a block takes up to seconds, and nothing else may wait for it.
parentPort?.on('message', ({ id, method, block }: Job) => {
  // A copy of its own, because what is handed over is lost here, room for growth included.
  const packed = METHODS[method].compress(block).slice()
  parentPort?.postMessage({ id, packed } satisfies Done, [packed.buffer])
})
