import { workerData } from 'node:worker_threads'

/** What the watch is told: bytes that the process may hold, and a number that is 1 while it has work and 0 otherwise. */
export interface Watched {
  most: number
  busy: Int32Array<SharedArrayBuffer>
}

// A thread that ends its process when that holds more memory than it may, whatever the process is busy with. While there is no
// work nothing grows, and the thread sleeps.

/** Milliseconds. */
const WATCH_EVERY = 20
const { most, busy }: Watched = workerData
// Not a signal that others send, where there are several: the server tells by it who ended the process.
const signal = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2'

for (;;) {
  Atomics.wait(busy, 0, 0)
  if (process.memoryUsage.rss() > most) process.kill(process.pid, signal)
  Atomics.wait(busy, 0, 1, WATCH_EVERY)
}
