const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Milliseconds within which signals count as one request: terminals and service managers signal every process of the group,
 * and a launcher or npm forwards its own signal.
 */
const ONE_REQUEST = 1000

/** Stop requests to this process. */
export interface StopRequests {
  /** Resolves with the first request, or when the launcher of this process exits. */
  first: Promise<void>
  /** Aborted by the second request. The third kills the process, as the signal does by default. */
  second: AbortSignal
  /** Call when the server is up: until then, a second request kills the process. */
  acceptSecond(): void
}

/** Handles the signals of this process, and the exit of its launcher, which holds an IPC channel to it. */
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
  // A listener keeps the channel referenced, and a referenced channel keeps the process alive.
  process.channel?.unref()
  if (process.connected === false) first.resolve()
  return {
    first: first.promise,
    second: second.signal,
    acceptSecond() {
      met = 2
    },
  }
}

function end(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
