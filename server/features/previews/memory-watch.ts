import { workerData } from 'node:worker_threads'

/**
 * The input of the watch: the bytes that the process may hold, and a number that is 1 while it works and 0 otherwise.
 */
export interface Watched {
  most: number
  busy: Int32Array<SharedArrayBuffer>
}

// A thread that ends its process when that exceeds its memory limit, even while the main thread is busy. Between jobs
// memory does not grow, and the thread sleeps.

/** Milliseconds. */
const WATCH_EVERY = 20
const { most, busy }: Watched = workerData
// A signal that no one else sends, where there are several: by it the server knows that the limit ended the process.
const signal = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2'

for (;;) {
  Atomics.wait(busy, 0, 0)
  if (process.memoryUsage.rss() > most) process.kill(process.pid, signal)
  Atomics.wait(busy, 0, 1, WATCH_EVERY)
}
