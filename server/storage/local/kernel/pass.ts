import { close } from 'node:fs'
import { IDLE_TIME } from '../../../lib/worker-client.ts'
import { WorkerPool } from '../../../lib/worker-pool.ts'
import { LEAN_THREAD } from '../../../worker-memory.ts'
import type { Passing } from '../../driver.ts'
import type { FileDescriptor } from '../file-descriptor.ts'
import type { Kernel } from './kernel.ts'
import type { PassCalls } from './pass-worker.ts'

/** Milliseconds between two attempts to start a thread that fails. */
const REST = 60_000

/** One thread serves all downloads, since it hardly waits for a client; others only while it waits for a disk. */
const senders = new WorkerPool<PassCalls>(new URL('./pass-worker.ts', import.meta.url), {
  size: 1,
  stuckAfter: 1000,
  sizeWithStuck: 3,
  idleTime: IDLE_TIME,
  ...LEAN_THREAD,
})

/**
 * Passes bytes of an open file to a socket within the kernel; see `OpenFile.passTo`. The socket is held by a descriptor
 * of our own, so that its number cannot become that of another connection while a call runs.
 */
export function passing(kernel: Kernel, file: FileDescriptor, socket: number): Passing | undefined {
  const own = duplicateOf(kernel, socket)
  if (own === undefined) return undefined
  let running: Promise<unknown> = Promise.resolve()
  let isClosed = false
  return {
    async pass(position, count) {
      if (senders.isStuck || !isAwake()) return 0
      const passed = file.lend(descriptor =>
        senders.request('pass', { socket: own, file: descriptor, position, count }),
      )
      running = passed.catch(() => {})
      return passed
    },
    async close() {
      if (isClosed) return
      isClosed = true
      // A call in progress still uses it.
      await running
      close(own, () => {})
    },
  }
}

/** Time of `performance.now()` before which a thread that did not start is not started again. */
let wakeAgain = 0

/** Whether the thread runs; starts it otherwise. A thread that cannot start then fails no download. */
function isAwake(): boolean {
  if (senders.isReady) return true
  if (performance.now() < wakeAgain) return false
  wakeAgain = performance.now() + REST
  // An update may have replaced its module, for example.
  void senders.request('wake', undefined).then(
    () => {
      wakeAgain = 0
    },
    () => {},
  )
  return false
}

/** Fails where this process has too many open files, which the ordinary way does not need. */
function duplicateOf(kernel: Kernel, socket: number): number | undefined {
  try {
    return kernel.duplicate(socket)
  } catch {
    return undefined
  }
}
