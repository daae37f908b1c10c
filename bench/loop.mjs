// Loaded into a server that is measured (NODE_OPTIONS=--import): on SIGUSR2 it writes how long its event loop was kept from
// others since the last time, in milliseconds, into the file that FILIGREE_BENCH_LOOP names, with its process id behind.
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const place = process.env.FILIGREE_BENCH_LOOP
if (isMainThread && place) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    const milliseconds = nanoseconds => nanoseconds / 1e6
    const figures = { longest: milliseconds(delay.max), p99: milliseconds(delay.percentile(99)) }
    delay.reset()
    // Whole or not there: somebody waits for it.
    writeFileSync(`${place}.new`, JSON.stringify(figures))
    renameSync(`${place}.new`, `${place}.${process.pid}`)
  })
}
