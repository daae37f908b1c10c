import { EventEmitter } from 'node:events'
import type { Cluster } from './cluster.ts'

/** The cluster of a single process, with a way to publish the messages of other instances. */
export interface LocalCluster extends Cluster {
  hear(name: string, payload: unknown): void
}

/** The cluster of a single process. */
export function openLocalCluster(): LocalCluster {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const tails = new Map<string, Promise<void>>()

  return {
    publish(name, payload) {
      emitter.emit(name, payload, 'here')
    },
    hear(name, payload) {
      emitter.emit(name, payload, 'elsewhere')
    },
    subscribe(name, listener) {
      emitter.on(name, listener)
      return () => emitter.off(name, listener)
    },
    async lock(key, act, signal) {
      const previous = tails.get(key)
      const slot = Promise.withResolvers<void>()
      const tail = previous ? previous.then(() => slot.promise) : slot.promise
      tails.set(key, tail)
      try {
        signal?.throwIfAborted()
        if (previous) await abortable(previous, signal)
        return await act(previous !== undefined)
      } finally {
        slot.resolve()
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
    async close() {
      emitter.removeAllListeners()
    },
  }
}

async function abortable(waiting: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return waiting
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([waiting, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
