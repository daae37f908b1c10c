import type { Cluster } from '../../cluster/cluster.ts'

/** Milliseconds without a byte after which a sender counts as gone. */
const PATIENCE = 1000
/** Milliseconds for which bytes in flight on an abandoned connection are still read: they need not be sent again. */
const DRAINED_WITHIN = 10_000

/** A request that is writing an upload now. */
interface UploadHolder {
  stop: AbortController
  /** Bytes received on its connection so far. */
  received: () => number
  done: Promise<void>
}

/**
 * The request that writes each upload. A connection that died silently still looks alive here; a client that returns to the same
 * upload must not wait for it.
 */
export class UploadHolders {
  readonly #holders = new Map<string, UploadHolder>()
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
    cluster.subscribe('upload.wanted', ({ id, returns }, origin) => {
      if (origin === 'elsewhere') void this.#releaseHere(id, returns)
    })
  }

  /** Runs `act` as the holder of an upload; the signal asks it to stop. */
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
   * Asks an idle holder to stop; one in another instance does so shortly after.
   * @param returns whether the client states that it sends nothing more: then a busy holder is awaited, and stopped in
   *   the end
   * @returns false when there is a holder here that is still busy
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
