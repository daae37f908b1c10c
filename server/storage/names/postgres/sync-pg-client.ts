import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { LEAN_THREAD } from '../../../worker-memory.ts'
import type { PgRequest, PgResponse, PgWorkerSetup, Row, Value } from './sync-pg-protocol.ts'

/** Milliseconds after which a response is no longer expected; the connection itself times out earlier. */
const PATIENCE = 60_000

/** An error of PostgreSQL or of the connection to it. */
export class PgError extends Error {
  override readonly name = 'PgError'
  readonly state: string | undefined

  constructor(message: string, state?: string) {
    super(message)
    this.state = state
  }
}

/**
 * A synchronous PostgreSQL client for a thread that may block. The connection runs on a thread of its own, since it
 * needs an event loop.
 */
export class WaitingClient {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

  constructor(connection: ClientConfig) {
    const { port1, port2 } = new MessageChannel()
    const workerData: PgWorkerSetup = { connection, port: port2, bell: this.#bell }
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

  /** @throws PgError */
  all(sql: string, ...values: readonly Value[]): Row[] {
    return this.#send({ sql, values })
  }

  /** The first row. @throws PgError */
  one(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#send({ sql, values })[0]
  }

  /** Runs statements without parameters. @throws PgError */
  run(sql: string): void {
    this.#send({ sql })
  }

  close(): void {
    this.#port.close()
  }

  #send(request: PgRequest): Row[] {
    Atomics.store(this.#bell, 0, 0)
    this.#port.postMessage(request)
    Atomics.wait(this.#bell, 0, 0, PATIENCE)
    const response: PgResponse | undefined = receiveMessageOnPort(this.#port)?.message
    if (!response) throw new PgError('the connection does not respond')
    if ('failed' in response) throw new PgError(response.failed, response.state)
    return response.rows
  }
}
