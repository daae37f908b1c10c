import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { LEAN_THREAD } from '../../../worker-memory.ts'
import type { Answered, AnswerSetup, Asked, Row, Value } from './sync-pg-protocol.ts'

/** Milliseconds after which nothing will come any more; the connection itself gives up earlier. */
const PATIENCE = 60_000

/** What PostgreSQL, or the connection to it, did not do. */
export class AskError extends Error {
  override readonly name = 'AskError'
  readonly state: string | undefined

  constructor(message: string, state?: string) {
    super(message)
    this.state = state
  }
}

/**
 * A connection to PostgreSQL for a thread that waits for each answer, as it would for a file. It is held by a thread of its
 * own, since a connection needs one that does not wait.
 */
export class WaitingClient {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

  constructor(connection: ClientConfig) {
    const { port1, port2 } = new MessageChannel()
    const workerData: AnswerSetup = { connection, port: port2, bell: this.#bell }
    this.#worker = new Worker(new URL('./sync-pg-worker.ts', import.meta.url), {
      workerData,
      transferList: [port2],
      ...LEAN_THREAD,
    })
    this.#worker.on('error', () => {})
    this.#worker.unref()
    this.#port = port1
    this.#port.unref()
  }

  /** @throws AskError */
  all(sql: string, ...values: readonly Value[]): Row[] {
    return this.#ask({ sql, values })
  }

  /** The first row. @throws AskError */
  one(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#ask({ sql, values })[0]
  }

  /** Runs statements to which nothing is bound. @throws AskError */
  run(sql: string): void {
    this.#ask({ sql })
  }

  close(): void {
    this.#port.close()
  }

  #ask(asked: Asked): Row[] {
    Atomics.store(this.#bell, 0, 0)
    this.#port.postMessage(asked)
    Atomics.wait(this.#bell, 0, 0, PATIENCE)
    const answered: Answered | undefined = receiveMessageOnPort(this.#port)?.message
    if (!answered) throw new AskError('the connection does not answer')
    if ('failed' in answered) throw new AskError(answered.failed, answered.state)
    return answered.rows
  }
}
