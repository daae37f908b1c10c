import { setTimeout as pause } from 'node:timers/promises'
import type { Client, QueryResult } from 'pg'
import { connectionTo } from '../db/connection.ts'
import { translating } from '../db/postgres.ts'
import { AppError } from '../errors.ts'

/** Milliseconds between two attempts to connect. */
const TRY_EVERY = { first: 100, most: 2000 }
/** Milliseconds between two looks whether the other side is still there, and until it must have answered. */
const LOOK_EVERY = 5000
/** Milliseconds to wait for a connection that was lost before giving up. */
const PATIENCE = 5000
const CHANNEL = 'filigree'

export interface LinkEvents {
  /** A notification came. */
  heard(text: string): void
  /** Connected again: what was held is free, and messages were lost. */
  restored(): void
}

/** The one connection over which an instance hears of others and holds its locks; comes back by itself. */
export class Link {
  readonly #address: string
  readonly #events: LinkEvents
  #client: Client | undefined
  /** The end of the last query of each connection. */
  readonly #last = new WeakMap<Client, Promise<unknown>>()
  #connected = Promise.withResolvers<void>()
  readonly #closing = new AbortController()
  #looking: NodeJS.Timeout | undefined

  constructor(address: string, events: LinkEvents) {
    this.#address = address
    this.#events = events
  }

  /** @throws AppError `unavailable` */
  async open(): Promise<void> {
    await this.#connect()
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY).unref()
  }

  /** Asks over the connection, in the order of the calls. @throws AppError `unavailable` */
  async ask<R>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    const client = this.#client ?? (await this.#waitFor())
    const { rows } = await translating(() => this.#inTurn(client, sql, parameters))
    return rows
  }

  /** Changes with each new connection. */
  get connection(): object | undefined {
    return this.#client
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#looking)
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  /** A connection takes one query at a time. */
  #inTurn(client: Client, sql: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
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
    client.on('notification', ({ payload }) => this.#events.heard(payload ?? ''))
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

  /** A connection can die without a word: whoever does not answer is left. */
  async #look(): Promise<void> {
    const client = this.#client
    if (!client) return
    const late = setTimeout(() => void client.end().catch(() => {}), LOOK_EVERY)
    await this.#inTurn(client, 'select 1').catch(() => {})
    clearTimeout(late)
  }
}
