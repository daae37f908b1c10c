// Loaded into a server that is measured (NODE_OPTIONS=--import). On SIGUSR2 it begins to look how long the event loop is kept
// from others, on the next one it ends that; each time it writes the longest since then, in milliseconds, into the file that
// FILIGREE_BENCH_LOOP names, with its process id behind. In between it costs nothing.
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const place = process.env.FILIGREE_BENCH_LOOP
if (isMainThread && place) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let isLooking = false
  process.on('SIGUSR2', () => {
    const longest = isLooking ? delay.max / 1e6 : 0
    if (isLooking) delay.disable()
    else {
      delay.reset()
      delay.enable()
    }
    isLooking = !isLooking
    // Whole or not there: somebody waits for it.
    writeFileSync(`${place}.new`, JSON.stringify({ longest }))
    renameSync(`${place}.new`, `${place}.${process.pid}`)
  })
}
