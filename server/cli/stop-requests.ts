const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Milliseconds in which signals are one request: a terminal and a service manager signal every process of the group, and
 * a launcher or npm passes its own signal on.
 */
const ONE_REQUEST = 1000

/** How this process is asked to stop. */
export interface StopRequests {
  /** Settles with the first request, or when the launcher of this process has ended. */
  first: Promise<void>
  /** Aborted by the second request. The third ends the process as the signal does by default. */
  second: AbortSignal
  /** From now on a second request can be met; before, it ends the process. */
  meetSecond(): void
}

/** Takes the signals of this process over, and ends with a launcher: only that one opens a channel to this process. */
export function takeStopRequests(): StopRequests {
  const first = Promise.withResolvers<void>()
  const second = new AbortController()
  let met = 1
  let requests = 0
  let latest = Number.NEGATIVE_INFINITY
  const take = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (now - latest < ONE_REQUEST) return
    latest = now
    requests += 1
    if (requests > met) end(signal)
    else if (requests === 1) first.resolve()
    else second.abort()
  }
  for (const signal of SIGNALS) process.on(signal, take)
  process.once('disconnect', first.resolve)
  // Listening for its end keeps the channel open, and an open channel this process.
  process.channel?.unref()
  if (process.connected === false) first.resolve()
  return {
    first: first.promise,
    second: second.signal,
    meetSecond() {
      met = 2
    },
  }
}

function end(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
