import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { constants, setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MAX_IMAGE_BYTES } from '../../../shared/limits.ts'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../../files/types.ts'
import { MAX_READS, START_TIME } from './limits.ts'
import { type Answer, ByteReader, type Job, packHead, type ReadHead, readReply } from './messages.ts'

/** The compile cache is shared with the server, if it has one; a small arena count returns memory to the system. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: getCompileCacheDir() }

/** Milliseconds to wait for the end of a process that sent invalid data. */
const ENDING = 1000

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** The limits of a process; it is killed when it exceeds them. */
export interface ProcessLimits {
  /** Bytes. */
  memory: number
  /** Milliseconds that the work on an image may take, and each transfer of bytes for it. */
  time: number
}

/** A file to make a preview of. */
export interface RenderJob extends Job {
  /** Opens a range of its bytes. */
  source(range: ByteRange): Readable
}

/** The process ended before it answered. */
export class ProcessEnded extends Error {
  /**
   * `start`: it did not start; `time`: it exceeded the time limit; `source`: the bytes took too long to arrive;
   * `stopped`: it was killed from outside; `work`: anything else.
   */
  readonly during: 'start' | 'time' | 'source' | 'stopped' | 'work'

  constructor(during: ProcessEnded['during'], options?: ErrorOptions) {
    super(during, options)
    this.during = during
  }
}

/** Signals that administrators, service managers and the OOM killer send; a process ends itself with another one. */
const FOREIGN_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']

/**
 * A process that makes previews: decoders are large and read untrusted files, so they run where a defect costs no more
 * than a preview. It is given no path and none of the server's environment; it receives bytes, or an open file.
 */
export class RenderProcess {
  readonly #child: ChildProcess
  readonly #stdin: Writable
  readonly #answers: ByteReader
  readonly #time: number
  readonly #ready: Promise<unknown>
  readonly #exited: Promise<NodeJS.Signals | null>
  #killed = false
  #idle: NodeJS.Timeout | undefined

  /**
   * @param ended called when the process has ended, for whatever reason
   * @throws AppError `unavailable` when the system cannot start it
   */
  constructor(limits: ProcessLimits, ended: () => void) {
    const heap = Math.ceil(limits.memory / 1024 ** 2)
    const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, WORKER, String(limits.memory)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: ENVIRONMENT,
    })
    child.once('error', ended)
    child.once('exit', ended)
    lowerPriority(child)
    this.#exited = new Promise(resolve => {
      child.once('error', () => resolve(null))
      child.once('exit', (_code, signal) => resolve(signal))
    })
    const { stdin, stdout }: Partial<ChildProcess> = child
    if (!stdin || !stdout) throw new AppError('unavailable')
    // A write to a process that has ended must not crash this one.
    stdin.on('error', () => {})
    this.#child = child
    this.#stdin = stdin
    this.#answers = new ByteReader(stdout)
    this.#time = limits.time
    const slow = setTimeout(() => this.kill(), START_TIME)
    this.#ready = this.#answers.take(1).finally(() => clearTimeout(slow))
    this.#ready.catch(() => {})
  }

  /**
   * One image at a time.
   * @throws ProcessEnded, or the source's own AppError; the process is unusable then
   */
  async render({ source, ...job }: RenderJob): Promise<Answer> {
    clearTimeout(this.#idle)
    await this.#ready.catch((cause: unknown) => {
      throw new ProcessEnded('start', { cause })
    })
    try {
      await this.#within(this.#time, 'time', this.#write(packHead(job)))
      return await this.#converse(job, source)
    } catch (thrown) {
      if (thrown instanceof AppError || thrown instanceof ProcessEnded) {
        this.kill()
        throw thrown
      }
      throw new ProcessEnded(await this.#whyEnded(), { cause: thrown })
    }
  }

  /** Sends the bytes that the process requests until it answers. */
  async #converse({ length, file }: Job, source: RenderJob['source']): Promise<Answer> {
    let [time, room] = [this.#time, MAX_IMAGE_BYTES]
    for (let [reads, isReading] = [0, file !== undefined]; reads <= MAX_READS; reads++, isReading = false) {
      const began = performance.now()
      const reply = await (isReading
        ? this.#within(this.#time, 'source', readReply(this.#answers))
        : this.#within(time, 'time', readReply(this.#answers)))
      if (!isReading) time -= performance.now() - began
      if (reply.kind === 'read') {
        room -= reply.length
        if (room < 0 || reply.start + reply.length > length) break
        await this.#hand(reply, source)
      } else if (reply.kind === 'reading') await this.#letRead()
      else if (reply.kind !== 'has_read') return reply
      else if (!isReading) break
    }
    throw new ProcessEnded('work')
  }

  /** @throws ProcessEnded when its next message is not the end of its read */
  async #letRead(): Promise<void> {
    const { kind } = await this.#within(this.#time, 'source', readReply(this.#answers))
    if (kind !== 'has_read') throw new ProcessEnded('work')
  }

  async #hand({ start, length }: ReadHead, source: RenderJob['source']): Promise<void> {
    const body = source({ start, end: start + length - 1 })
    const pass = async () => {
      for await (const chunk of body) await this.#write(chunk)
    }
    await this.#within(this.#time, 'source', pass()).finally(() => body.destroy())
  }

  /** Awaits `act` with a timeout in milliseconds. @throws ProcessEnded on timeout */
  async #within<T>(time: number, during: ProcessEnded['during'], act: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new ProcessEnded(during)), Math.max(0, time))
    act.catch(() => {})
    return Promise.race([act, late.promise]).finally(() => clearTimeout(timer))
  }

  /** A process that sends nothing more has ended, or is unusable. */
  async #whyEnded(): Promise<ProcessEnded['during']> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      await Promise.race([this.#exited, sleep(ENDING)])
    const wasStopped = !this.#killed && FOREIGN_SIGNALS.includes(this.#child.signalCode)
    this.kill()
    return wasStopped ? 'stopped' : 'work'
  }

  /** Ends the process unless it gets work within some milliseconds. */
  endWhenIdle(after: number): void {
    this.#idle = setTimeout(() => this.#stdin.end(), after).unref()
  }

  /** Kills the process, and waits until it has exited. */
  async end(): Promise<void> {
    this.kill()
    await this.#exited
  }

  kill(): void {
    this.#killed = true
    clearTimeout(this.#idle)
    this.#child.kill('SIGKILL')
  }

  /** Resolves when the bytes are sent, or when the process has ended. */
  #write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdin.write(chunk, error => (error ? reject(error) : resolve()))
    })
  }
}

/** Other requests have priority. Threads inherit the priority of their creator, so it is set before any starts. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system denies it.
  }
}
