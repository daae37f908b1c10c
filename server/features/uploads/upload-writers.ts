import type { Cluster } from '../../cluster/cluster.ts'

/** Milliseconds without a byte after which a sender counts as gone. */
const PATIENCE = 1000
/** Milliseconds for which bytes in flight on an abandoned connection are still read: they need not be sent again. */
const DRAINED_WITHIN = 10_000

/** A request that is writing an upload now. */
interface UploadWriter {
  stop: AbortController
  /** Bytes received on its connection so far. */
  received: () => number
  done: Promise<void>
}

/**
 * The writer of each upload. A connection that died silently still looks alive here; a client that returns to the same
 * upload must not wait for it.
 */
export class UploadWriters {
  readonly #writers = new Map<string, UploadWriter>()
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
    cluster.subscribe('upload.wanted', ({ id, returns }, origin) => {
      if (origin === 'elsewhere') void this.#releaseHere(id, returns)
    })
  }

  /** Runs `act` as the writer of an upload; the signal asks it to stop. */
  async hold<T>(id: string, received: () => number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const done = Promise.withResolvers<void>()
    const writer = { stop, received, done: done.promise }
    this.#writers.set(id, writer)
    try {
      return await act(stop.signal)
    } finally {
      if (this.#writers.get(id) === writer) this.#writers.delete(id)
      done.resolve()
    }
  }

  /**
   * Asks an idle writer to stop; one in another instance does so shortly after.
   * @param returns whether the client states that it sends nothing more: then a busy writer is awaited, and stopped in
   *   the end
   * @returns false when there is a writer here that is still busy
   */
  async release(id: string, returns = false): Promise<boolean> {
    this.#cluster.publish('upload.wanted', { id, returns })
    return this.#releaseHere(id, returns)
  }

  async #releaseHere(id: string, returns: boolean): Promise<boolean> {
    const writer = this.#writers.get(id)
    if (!writer) return true
    for (let waited = PATIENCE; ; waited += PATIENCE) {
      const before = writer.received()
      const ended = await Promise.race([writer.done.then(() => true), pause()])
      if (ended) return true
      const isBusy = writer.received() !== before
      if (isBusy && !returns) return false
      if (!isBusy || waited >= DRAINED_WITHIN) break
    }
    writer.stop.abort()
    await writer.done
    return true
  }
}

const pause = () => new Promise<false>(resolve => setTimeout(() => resolve(false), PATIENCE))
