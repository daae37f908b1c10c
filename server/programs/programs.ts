import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import type { Environment } from './environment.ts'

/** Milliseconds between asking a program to end and ending it. */
const GRACE = 2000
/** Milliseconds between two looks whether a program that was asked to end has done so. */
const LOOK_EVERY = 20

export interface ProgramRequest {
  /** Working folder; the server's own unless given. */
  cwd?: string
  /** Everything the program finds in its environment. */
  env: Environment
  /** Milliseconds it may run. */
  time: number
  /** Bytes it may write, to both of its streams together. */
  output: number
  /** A file that the program finds open as its descriptor 3. */
  file?: number
  /** Ends the program. */
  signal?: AbortSignal
  /** Takes what the program writes, as it comes; the program waits while the promise does. */
  onOutput(stream: ProgramStream, bytes: Buffer): Promise<void> | void
}

export type ProgramStream = 'stdout' | 'stderr'

/** How a program ended. */
export interface ProgramEnd {
  /** Exit code; `undefined` after a signal. */
  code: number | undefined
  /** Why it was ended before it did so by itself: too long, too much output, or stopped from outside. */
  cut: Cut | undefined
}
type Cut = 'time' | 'output' | 'stopped'

type Child = ChildProcessByStdio<null, Readable, Readable>

/** The programs this server has started and that still run. Nothing else in the server starts one for users or hooks. */
export class Programs {
  readonly #running = new Map<Promise<ProgramEnd>, AbortController>()
  #closed = false

  /**
   * Runs a program to its end: no shell, nothing to read, a process group of its own. Whatever it leaves running in that
   * group ends with it.
   * @param argv the program, looked for in `PATH` or given as an absolute path, and its arguments
   * @throws AppError `not_found` when it cannot be started, `unavailable` once the server stops
   */
  async run(argv: readonly string[], request: ProgramRequest): Promise<ProgramEnd> {
    const { ended } = await this.start(argv, request)
    return ended
  }

  /** The same, answering as soon as the program has started. */
  async start(argv: readonly string[], request: ProgramRequest): Promise<{ ended: Promise<ProgramEnd> }> {
    if (this.#closed) throw new AppError('unavailable')
    const stop = new AbortController()
    const child = await started(argv, request)
    const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal
    const ended = untilEnd(child, request, signal).finally(() => this.#running.delete(ended))
    this.#running.set(ended, stop)
    if (this.#closed) stop.abort()
    return { ended }
  }

  /** Ends every program, and waits until they are gone. */
  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#running.values()) stop.abort()
    await Promise.allSettled(this.#running.keys())
  }
}

async function untilEnd(child: Child, request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd> {
  const exited = once(child, 'exit') as Promise<[number | null]>
  const cutShort = Promise.withResolvers<Cut>()
  const late = setTimeout(() => cutShort.resolve('time'), request.time)
  const onAbort = () => cutShort.resolve('stopped')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const cut = await Promise.race([cutShort.promise, untilDone(child, exited, request, cutShort.resolve)])
    await endGroup(child)
    // A process that has left the group may still hold the other ends.
    if (cut) for (const stream of [child.stdout, child.stderr]) stream.destroy()
    const [code] = await exited
    return { code: code ?? undefined, cut }
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', onAbort)
  }
}

/** @throws AppError `not_found` */
async function started([name = '', ...args]: readonly string[], { cwd, env, file }: ProgramRequest): Promise<Child> {
  // A relative name with a slash would be looked for in the working folder, where people upload what they like.
  if (name === '' || (name.includes('/') && !name.startsWith('/'))) throw noProgram(name)
  try {
    const options = { env, detached: true, ...(cwd === undefined ? {} : { cwd }) }
    const handed = file === undefined ? [] : [file]
    const child = spawn(name, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', ...handed] }) as Child
    await once(child, 'spawn')
    return child
  } catch (cause) {
    throw noProgram(name, cause)
  }
}

const noProgram = (name: string, cause?: unknown) =>
  new AppError('not_found', `the program '${name}' cannot be started`, { cause })

/** Hands on what a program writes, and ends when the program has and everything is handed on. */
async function untilDone(
  child: Child,
  exited: Promise<unknown>,
  { output, onOutput }: ProgramRequest,
  cutShort: (why: Cut) => void,
): Promise<undefined> {
  let room = output
  const pump = async (name: ProgramStream) => {
    try {
      for await (const bytes of child[name] as AsyncIterable<Buffer>) {
        const taken = bytes.subarray(0, room)
        room -= taken.length
        await onOutput(name, taken)
        if (taken.length < bytes.length) return cutShort('output')
      }
    } catch {
      // Whoever takes the output is gone.
      cutShort('stopped')
    }
  }
  const pumps = Promise.all([pump('stdout'), pump('stderr')])
  await exited
  await endGroup(child)
  await pumps
}

/** Asks the whole group to end, and ends what does not listen. */
async function endGroup(child: Child): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return
  for (let waited = 0; waited < GRACE; waited += LOOK_EVERY) {
    await sleep(LOOK_EVERY)
    if (!signalGroup(child, 0)) return
  }
  signalGroup(child, 'SIGKILL')
}

/** @returns whether anybody is left in the group */
function signalGroup({ pid }: Child, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}
