import { promisify } from 'node:util'
import { serveCalls } from '../../../lib/worker-serve.ts'
import { bindKernel, type Kernel } from './kernel.ts'

export interface BytesToPass {
  socket: number
  file: number
  position: number
  count: number
}

export type PassCalls = typeof CALLS

/** Bytes per system call: their last one must be in memory. */
const SLICE = 1024 ** 2
/** Bytes of one download before it is the turn of the next one. */
const TURN = 4 * SLICE
/** Milliseconds until new downloads are looked for while all sockets are full. */
const WAIT = 4
/** Waits after which a client counts as slow. */
const MOST_WAITS = 3

/** Milliseconds of one call: clients that take a little again and again are slow, too. */
const MOST_TIME = 250

/** A download in progress. */
interface Pass extends BytesToPass {
  passed: number
  waits: number
  /** Time of `performance.now()` when it is over. */
  due: number
  end(passed: number): void
}

const nextTurn = promisify(setImmediate)
const kernel = bindKernel()
const passes = new Set<Pass>()

const CALLS = {
  /** Does nothing: the thread has to run before it gets work. */
  wake() {},

  /**
   * Passes bytes of a file to a socket until its client is slow, or the disk would have to be waited for. Whatever goes
   * wrong is left to the caller, who continues in another way and meets it there.
   * @returns the number of bytes that were passed
   */
  pass(bytes: BytesToPass): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    passes.add({ ...bytes, passed: 0, waits: 0, due: performance.now() + MOST_TIME, end: resolve })
    if (passes.size === 1) void takeTurns()
    return promise
  },
}

serveCalls(CALLS)

async function takeTurns(): Promise<void> {
  while (passes.size > 0) {
    const full = new Set<Pass>()
    for (const pass of passes) {
      const state = kernel ? turnOf(kernel, pass) : 'over'
      if (state === 'over' || pass.waits > MOST_WAITS || performance.now() > pass.due) end(pass)
      else if (state === 'full') full.add(pass)
    }
    if (kernel && full.size > 0 && full.size === passes.size) wait(kernel, [...full])
    await nextTurn()
  }
}

function end(pass: Pass): void {
  passes.delete(pass)
  pass.end(pass.passed)
}

function wait(kernel: Kernel, full: readonly Pass[]): void {
  for (const pass of full) pass.waits += 1
  try {
    kernel.awaitRoom(
      full.map(({ socket }) => socket),
      WAIT,
    )
  } catch {
    for (const pass of full) end(pass)
  }
}

/** @returns whether it continues, once the socket takes more if it is full */
function turnOf(kernel: Kernel, pass: Pass): 'on' | 'full' | 'over' {
  const { socket, file, position, count } = pass
  const until = Math.min(count, pass.passed + TURN)
  try {
    while (pass.passed < until) {
      const from = position + pass.passed
      const length = Math.min(SLICE, until - pass.passed)
      if (!kernel.isCached(file, from + length - 1)) return 'over'
      const sent = kernel.sendFile(socket, file, from, length)
      pass.passed += sent
      if (sent > 0) pass.waits = 0
      if (sent < length) return 'full'
    }
  } catch {
    // A failed call passed nothing.
    return 'over'
  }
  return pass.passed < count ? 'on' : 'over'
}
