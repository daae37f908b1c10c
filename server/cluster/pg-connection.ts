import { setTimeout as pause } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { connectionTo } from '../db/connection.ts'
import { translating } from '../db/postgres.ts'
import { AppError } from '../errors.ts'

/** Milliseconds between two connection attempts. */
const TRY_EVERY = { first: 100, most: 2000 }
/** Milliseconds between two liveness checks of the connection, and the deadline of each. */
const PING_EVERY = 5000
/** Milliseconds to wait for a lost connection before a query fails. */
const PATIENCE = 5000
const CHANNEL = 'filigree'

export interface PgConnectionEvents {
  /** A notification arrived. */
  received(text: string): void
  /** Connected again: the locks held before are released, and messages were lost. */
  restored(): void
}

/** The one connection over which an instance receives messages and holds its locks; reconnects automatically. */
export class PgConnection {
  readonly #address: string
  readonly #events: PgConnectionEvents
  #client: Client | undefined
  /** The last query of each connection. */
  readonly #last = new WeakMap<Client, Promise<unknown>>()
  #connected = Promise.withResolvers<void>()
  readonly #closing = new AbortController()
  #pings: NodeJS.Timeout | undefined

  constructor(address: string, events: PgConnectionEvents) {
    this.#address = address
    this.#events = events
  }

  /** @throws AppError `unavailable` */
  async open(): Promise<void> {
    await this.#connect()
    this.#pings = setInterval(() => void this.#ping(), PING_EVERY).unref()
  }

  /** Runs a query over the connection, in the order of the calls. @throws AppError `unavailable` */
  async ask<R>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    const client = this.#client ?? (await this.#waitFor())
    const { rows } = await translating(() => this.#serialized(client, sql, parameters))
    return rows
  }

  /** Another object after each reconnect. */
  get connection(): object | undefined {
    return this.#client
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#pings)
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  /** A connection takes one query at a time. */
  #serialized(client: Client, sql: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
    const asked = (this.#last.get(client) ?? Promise.resolve()).then(() => client.query(sql, [...parameters]))
    this.#last.set(
      client,
      asked.catch(() => {}),
    )
    return asked
  }

  async #waitFor(): Promise<Client> {
    const late = new AbortController()
    await Promise.race([this.#connected.promise, pause(PATIENCE, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
    if (!this.#client) throw new AppError('unavailable', 'unavailable', { wait: PATIENCE })
    return this.#client
  }

  async #connect(): Promise<void> {
    const { Client } = (await import('pg')).default
    const client = new Client(connectionTo(this.#address))
    client.on('error', () => {})
    client.on('notification', ({ payload }) => this.#events.received(payload ?? ''))
    client.once('end', () => this.#lose(client))
    try {
      await translating(() => client.connect())
      await translating(() => client.query(`listen ${CHANNEL}`))
      this.#closing.signal.throwIfAborted()
    } catch (thrown) {
      void client.end().catch(() => {})
      throw thrown
    }
    this.#client = client
    this.#connected.resolve()
  }

  #lose(client: Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#connected = Promise.withResolvers()
    void this.#restore()
  }

  async #restore(): Promise<void> {
    const { signal } = this.#closing
    for (let wait = TRY_EVERY.first; !signal.aborted && !this.#client; wait = Math.min(2 * wait, TRY_EVERY.most)) {
      await this.#connect().catch(() => pause(wait, undefined, { signal }).catch(() => {}))
    }
    if (!signal.aborted) this.#events.restored()
  }

  /** A connection can die silently: it is dropped when it does not answer. */
  async #ping(): Promise<void> {
    const client = this.#client
    if (!client) return
    const late = setTimeout(() => void client.end().catch(() => {}), PING_EVERY)
    await this.#serialized(client, 'select 1').catch(() => {})
    clearTimeout(late)
  }
}
