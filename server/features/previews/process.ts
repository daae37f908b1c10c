import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../errors.ts'
import { START_TIME } from './limits.ts'
import { type Answer, ByteReader, type Job, packHead, readAnswer } from './messages.ts'

/** Compiled code is shared with the server, where it keeps any; memory is given back rather than kept for each thread. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: getCompileCacheDir() }

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** What a process may use; it is killed when it takes more. */
export interface ProcessLimits {
  /** Bytes. */
  memory: number
  /** Milliseconds that each of receiving a picture and answering may take. */
  time: number
}

/** A picture to be made smaller. */
export interface RenderJob extends Job {
  /** Opens the picture's bytes, `length` of them. */
  source(): Readable
}

/** The process ended before it answered. */
export class ProcessEnded extends Error {
  /** `start`: it did not come to work at all; `time`: its time was up; `work`: anything else. */
  readonly during: 'start' | 'time' | 'work'

  constructor(during: ProcessEnded['during'], options?: ErrorOptions) {
    super(during, options)
    this.during = during
  }
}

/**
 * A process that makes previews: decoders are large and read what strangers made, so they run where a defect ends
 * nothing but a preview. It knows no path, no environment and nobody's rights; it is handed bytes.
 */
export class RenderProcess {
  readonly #child: ChildProcess
  readonly #stdin: Writable
  readonly #answers: ByteReader
  readonly #time: number
  readonly #ready: Promise<unknown>
  #idle: NodeJS.Timeout | undefined

  /**
   * @param ended called when the process has ended, for whatever reason
   * @throws AppError `unavailable` when the system has no room for it
   */
  constructor(limits: ProcessLimits, ended: () => void) {
    const heap = Math.ceil(limits.memory / 1024 ** 2)
    const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, WORKER, String(limits.memory)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: ENVIRONMENT,
    })
    child.once('error', ended)
    child.once('exit', ended)
    const { stdin, stdout }: Partial<ChildProcess> = child
    if (!stdin || !stdout) throw new AppError('unavailable')
    // What is written to a process that has ended must not end this one.
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
   * One picture at a time.
   * @throws ProcessEnded, or the source's own AppError; the process is of no use then
   */
  async render({ source, ...job }: RenderJob): Promise<Answer> {
    clearTimeout(this.#idle)
    await this.#ready.catch((cause: unknown) => {
      throw new ProcessEnded('start', { cause })
    })
    let during: ProcessEnded['during'] = 'work'
    const body = source()
    const timer = setTimeout(() => {
      during = 'time'
      this.kill()
      body.destroy(new Error('time is up'))
    }, this.#time)
    try {
      await this.#write(packHead(job))
      for await (const piece of body) await this.#write(piece)
      timer.refresh()
      return await readAnswer(this.#answers)
    } catch (thrown) {
      this.kill()
      throw thrown instanceof AppError ? thrown : new ProcessEnded(during, { cause: thrown })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the process unless it gets work within some milliseconds. */
  endWhenIdle(after: number): void {
    this.#idle = setTimeout(() => this.#stdin.end(), after).unref()
  }

  kill(): void {
    clearTimeout(this.#idle)
    this.#child.kill('SIGKILL')
  }

  /** Settles when the bytes are on their way, or when there is nobody any more to take them. */
  #write(piece: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdin.write(piece, error => (error ? reject(error) : resolve()))
    })
  }
}
