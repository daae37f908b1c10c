import type { Cluster } from '../../cluster/cluster.ts'

/** Milliseconds without a byte after which a sender is taken for gone. */
const PATIENCE = 1000
/** Milliseconds that bytes may still come on a connection whose client has left it: what was sent need not be sent again. */
const DRAINED_WITHIN = 10_000

/** A request that is writing an upload right now. */
interface Holder {
  stop: AbortController
  /** Bytes its connection has brought so far. */
  received: () => number
  done: Promise<void>
}

/**
 * Who writes which upload. A connection that died silently still looks alive here; whoever comes back
 * for the same upload must not wait for it.
 */
export class Holders {
  readonly #holders = new Map<string, Holder>()
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
    cluster.subscribe('upload.wanted', ({ id, returns }, origin) => {
      if (origin === 'elsewhere') void this.#releaseHere(id, returns)
    })
  }

  /** Runs `act` as the holder of an upload; the signal tells it to let go. */
  async hold<T>(id: string, received: () => number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const done = Promise.withResolvers<void>()
    const holder = { stop, received, done: done.promise }
    this.#holders.set(id, holder)
    try {
      return await act(stop.signal)
    } finally {
      if (this.#holders.get(id) === holder) this.#holders.delete(id)
      done.resolve()
    }
  }

  /**
   * Asks a holder from whom nothing comes to let go; one in another instance does so a moment later, if it does.
   * @param returns whether the client says that it sends nothing more: then a busy holder is waited for, and ended in the end
   * @returns false when there is one here that is still busy
   */
  async release(id: string, returns = false): Promise<boolean> {
    this.#cluster.publish('upload.wanted', { id, returns })
    return this.#releaseHere(id, returns)
  }

  async #releaseHere(id: string, returns: boolean): Promise<boolean> {
    const holder = this.#holders.get(id)
    if (!holder) return true
    for (let waited = PATIENCE; ; waited += PATIENCE) {
      const before = holder.received()
      const ended = await Promise.race([holder.done.then(() => true), pause()])
      if (ended) return true
      const isBusy = holder.received() !== before
      if (isBusy && !returns) return false
      if (!isBusy || waited >= DRAINED_WITHIN) break
    }
    holder.stop.abort()
    await holder.done
    return true
  }
}

const pause = () => new Promise<false>(resolve => setTimeout(() => resolve(false), PATIENCE))
