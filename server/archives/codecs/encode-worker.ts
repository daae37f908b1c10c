import { parentPort } from 'node:worker_threads'
import { type Done, type Job, METHODS } from './encoders.ts'

// Compresses blocks on a worker thread: a block takes up to seconds.
parentPort?.on('message', ({ id, method, block }: Job) => {
  // A copy, because a transferred buffer is lost here, spare capacity included.
  const packed = METHODS[method].compress(block).slice()
  parentPort?.postMessage({ id, packed } satisfies Done, [packed.buffer])
})
