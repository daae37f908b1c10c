import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { canBeSandboxed, GATE_FD, gatedArgv, sandboxEnvironment, type Tools } from './bubblewrap.ts'
import type { Environment } from './environment.ts'
import { demandSandbox, type Sandbox } from './sandbox.ts'
import { SandboxProcesses } from './sandbox-processes.ts'
import type { SandboxSpec } from './sandbox-spec.ts'
import { findProgram } from './which.ts'

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 2000
/** Milliseconds between two checks whether a terminated program has ended. */
const LOOK_EVERY = 20

export interface ProgramRequest {
  /** Working folder; by default the server's own, or in a sandbox the root of its mounts. */
  cwd?: string
  /**
   * Runs the program in the sandbox, if the host has one, with what it returns mounted. It is called only then, and its
   * result is closed when the program has started. Without it the program runs unconfined, like the server.
   */
  sandboxSpec?(): Promise<SandboxSpec>
  /** The whole environment of the program. */
  env: Environment
  /** Timeout in milliseconds. */
  time: number
  /** Maximum bytes of output, of both streams together. */
  output: number
  /** A file passed to the program as descriptor 3. */
  file?: number
  /** Standard input; empty by default. The caller handles its errors; what the program does not read is dropped. */
  input?: Readable
  /** Terminates the program. */
  signal?: AbortSignal
  /** Receives the output in chunks; the program is paused while the promise is pending. */
  onOutput(stream: ProgramStream, bytes: Buffer): Promise<void> | void
}

export type ProgramStream = 'stdout' | 'stderr'

/** The result of a program. */
export interface ProgramEnd {
  /** Exit code; `undefined` after a signal. */
  code: number | undefined
  /** Why it was terminated: a limit, or stopped from outside. */
  cut: Cut | undefined
}
export type Cut = 'time' | 'output' | 'memory' | 'tasks' | 'stopped'

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

/** A running program. */
interface Started {
  child: Child
  /** The processes in its sandbox, if it has one. */
  processes?: SandboxProcesses
}

/** The running programs of this server. Nothing else in the server starts programs for users or hooks. */
export class ProgramRunner {
  /** The sandbox for confined programs. */
  readonly sandbox: Sandbox
  readonly #running = new Map<Promise<ProgramEnd>, AbortController>()
  #closed = false

  constructor(sandbox: Sandbox = { state: 'none' }) {
    this.sandbox = sandbox
  }

  /**
   * Runs a program to its end: no shell, a process group of its own. Processes it leaves behind
   * in that group, or in its sandbox, end with it.
   * @param argv the program, searched in `PATH` or given as an absolute path, and its arguments
   * @throws AppError `not_found` when it cannot be started, `no_sandbox` when the required sandbox does not work,
   *   `unavailable` once the server stops, and what `sandboxSpec` throws
   */
  async run(argv: readonly string[], request: ProgramRequest): Promise<ProgramEnd> {
    const { ended } = await this.start(argv, request)
    return ended
  }

  /** The same, returning as soon as the program has started. */
  async start(argv: readonly string[], request: ProgramRequest): Promise<{ ended: Promise<ProgramEnd> }> {
    if (this.#closed) throw new AppError('unavailable')
    const stop = new AbortController()
    const started = await this.#spawn(argv, request)
    const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal
    const ended = untilEnd(started, request, signal).finally(() => this.#running.delete(ended))
    this.#running.set(ended, stop)
    if (this.#closed) stop.abort()
    return { ended }
  }

  async #spawn(argv: readonly string[], request: ProgramRequest): Promise<Started> {
    if (!request.sandboxSpec) return { child: await started(argv, request) }
    demandSandbox(this.sandbox)
    if (this.sandbox.state === 'none') return { child: await started(argv, request) }
    const spec = await request.sandboxSpec()
    try {
      return await startSandboxed(this.sandbox.tools, argv, request, spec)
    } finally {
      spec.close()
    }
  }

  /** Ends every program, and waits until all have exited. */
  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#running.values()) stop.abort()
    await Promise.allSettled(this.#running.keys())
  }
}

async function untilEnd(
  { child, processes }: Started,
  request: ProgramRequest,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const exited = once(child, 'exit') as Promise<[number | null]>
  const cutShort = Promise.withResolvers<Cut>()
  const late = setTimeout(() => cutShort.resolve('time'), request.time)
  const onAbort = () => cutShort.resolve('stopped')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const endWatch = processes?.watch(cutShort.resolve)
  try {
    const cut = await Promise.race([cutShort.promise, untilDone(child, exited, request, cutShort.resolve)])
    await (isUrgent(cut) ? killGroup(child, processes) : endGroup(child, processes))
    // A process that has left the group may hold the other ends open.
    if (cut) for (const stream of [child.stdout, child.stderr]) stream.destroy()
    const [code] = await exited
    return { code: code ?? undefined, cut }
  } finally {
    endWatch?.()
    clearTimeout(late)
    signal.removeEventListener('abort', onAbort)
  }
}

/** @throws AppError `not_found` */
async function started(argv: readonly string[], { cwd, env, file, input }: ProgramRequest): Promise<Child> {
  const [name = ''] = argv
  // A relative name with a slash would be resolved in the working folder, where users upload files.
  if (name === '' || (name.includes('/') && !name.startsWith('/'))) throw noProgram(name)
  const options = { env, ...(cwd === undefined ? {} : { cwd }) }
  return spawned(argv, options, { input, more: file === undefined ? [] : [file] }).catch(cause => {
    throw noProgram(name, cause)
  })
}

/**
 * @throws AppError `not_found`, `unsupported` when the folder cannot be held open, or contains a mount of the sandbox
 */
async function startSandboxed(
  tools: Tools,
  [name = '', ...args]: readonly string[],
  { cwd, env, input }: ProgramRequest,
  spec: SandboxSpec,
): Promise<Started> {
  if (spec.descriptor === undefined || !canBeSandboxed(spec)) throw new AppError('unsupported')
  const program = findProgram(name, env.PATH ?? '')
  if (!program) throw noProgram(name)
  const argv = gatedArgv(tools, program, args, { spec, cwd: cwd ?? spec.root })
  const child = await spawned(argv, { env: sandboxEnvironment(env) }, { input, more: [spec.descriptor, 'pipe'] })
  openGate(child)
  return { child, processes: new SandboxProcesses(child.pid) }
}

/** Answers a sandbox that is ready: a server that can answer is one that the sandbox will end with. */
function openGate({ stdio }: ChildProcess): void {
  const gate = stdio[GATE_FD] as Socket
  gate.once('data', () => gate.end('\n'))
  // It can be terminated before it starts.
  gate.on('error', () => {})
}

interface Descriptors {
  /** Standard input. */
  input: Readable | undefined
  /** After the three standard ones. */
  more: (number | 'pipe')[]
}

async function spawned(
  [program = '', ...args]: readonly string[],
  options: { env: Environment; cwd?: string },
  { input, more }: Descriptors,
): Promise<Child> {
  const stdin = input ? 'pipe' : 'ignore'
  const child = spawn(program, args, { ...options, detached: true, stdio: [stdin, 'pipe', 'pipe', ...more] })
  await once(child, 'spawn')
  if (input && child.stdin) pipeline(input, child.stdin).catch(() => {})
  return child as Child
}

const noProgram = (name: string, cause?: unknown) =>
  new AppError('not_found', `the program '${name}' cannot be started`, { cause })

/** Forwards the output of a program, and ends when the program has ended and everything is forwarded. */
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
      // The consumer of the output is gone.
      cutShort('stopped')
    }
  }
  const pumps = Promise.all([pump('stdout'), pump('stderr')])
  await exited
  await endGroup(child)
  await pumps
}

/**
 * Sends SIGTERM to the whole group, and SIGKILL to what remains. In a sandbox the signals go to the processes inside;
 * those end with the outer group in any case.
 */
async function endGroup(child: Child, processes?: SandboxProcesses): Promise<void> {
  if (!signalGroup(child, processes ? 0 : 'SIGTERM')) return
  await processes?.askToEnd()
  for (let waited = 0; waited < GRACE; waited += LOOK_EVERY) {
    await sleep(LOOK_EVERY)
    if (!signalGroup(child, 0)) return
  }
  await killGroup(child, processes)
}

async function killGroup(child: Child, processes?: SandboxProcesses): Promise<void> {
  await processes?.end()
  signalGroup(child, 'SIGKILL')
}

/** Processes over a limit get SIGKILL at once. */
const isUrgent = (cut: Cut | undefined) => cut === 'memory' || cut === 'tasks'

/** @returns whether the group still has processes */
function signalGroup({ pid }: Child, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    return false
  }
}
