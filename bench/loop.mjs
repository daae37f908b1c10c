// Preloaded into a measured server (NODE_OPTIONS=--import). SIGUSR2 starts measuring event-loop delays, the next one
// stops; each time the longest delay since then, in milliseconds, is written to the file that FILIGREE_BENCH_LOOP
// names, with the process id as suffix. Costs nothing in between. With FILIGREE_BENCH_STATEMENTS it has the milliseconds
// that statements of the database took since the start, too.
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const place = process.env.FILIGREE_BENCH_LOOP
let statements = 0
if (isMainThread && process.env.FILIGREE_BENCH_STATEMENTS) {
  const { StatementSync } = await import('node:sqlite')
  for (const way of ['all', 'get', 'run']) {
    const plain = StatementSync.prototype[way]
    StatementSync.prototype[way] = function (...values) {
      const began = performance.now()
      try {
        return plain.apply(this, values)
      } finally {
        statements += performance.now() - began
      }
    }
  }
}
if (isMainThread && place) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let isMeasuring = false
  process.on('SIGUSR2', () => {
    const longest = isMeasuring ? delay.max / 1e6 : 0
    if (isMeasuring) delay.disable()
    else {
      delay.reset()
      delay.enable()
    }
    isMeasuring = !isMeasuring
    // Written atomically: the benchmark waits for the file.
    writeFileSync(`${place}.new`, JSON.stringify({ longest, statements }))
    renameSync(`${place}.new`, `${place}.${process.pid}`)
  })
}
