import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { openLocalCluster } from './local.ts'
import { MessageAssembler, partsOf } from './message-chunks.ts'
import { PgConnection } from './pg-connection.ts'

/** Milliseconds between two attempts to get a lock that another instance holds, with backoff. */
const TRY_EVERY = { first: 5, most: 100 }
/** The most messages queued for sending; an instance that misses more reads the database instead. */
const MOST_WAITING = 10_000

const NOTIFY = `select pg_notify('filigree', part) from unnest($1::text[]) with ordinality as t(part, n) order by n`
const TRY = 'select pg_try_advisory_lock($1) as done'
const RELEASE = 'select pg_advisory_unlock($1) as done'

type Message = [name: string, payload: unknown]

/**
 * The cluster of instances that share one PostgreSQL database: messages by NOTIFY, locks by advisory locks, both over
 * one connection (a pooler that shares connections between statements must not stand in between).
 * @throws AppError `unavailable`
 */
export async function openPostgresCluster(address: string): Promise<Cluster> {
  const local = openLocalCluster()
  const own = randomBytes(8).toString('hex')
  const assembler = new MessageAssembler(own)
  const locks = new Map<string, object | undefined>()
  const outbox: Message[] = []
  let sending = Promise.resolve()
  let isSending = false

  const pg = new PgConnection(address, {
    received(text) {
      const messages = assembler.add(text)
      for (const [name, payload] of (messages ?? []) as Message[]) local.hear(name, payload)
    },
    restored() {
      assembler.clear()
      for (const key of locks.keys()) void retake(key).catch(() => {})
      local.publish('messages.missed', {})
      flush()
    },
  })

  function flush(): void {
    if (!isSending) sending = send()
  }

  /** Messages that queue up while a statement runs are sent with the next one. */
  async function send(): Promise<void> {
    isSending = true
    try {
      while (outbox.length > 0) {
        const messages = [...outbox]
        await pg.ask(NOTIFY, [partsOf(own, messages)])
        outbox.splice(0, messages.length)
      }
    } catch {
      // The connection is lost: the queue is sent once it is restored.
    } finally {
      isSending = false
    }
  }

  async function attempt(key: string): Promise<boolean> {
    const got = await ask(TRY, key)
    if (got) locks.set(key, pg.connection)
    return got
  }

  /** Takes again a lock lost with the connection, unless another instance was first or it is no longer needed. */
  async function retake(key: string): Promise<void> {
    if (!(await ask(TRY, key))) return
    if (locks.has(key)) locks.set(key, pg.connection)
    else await ask(RELEASE, key)
  }

  async function ask(statement: string, key: string): Promise<boolean> {
    const [row] = await pg.ask<{ done: boolean }>(statement, [numberOf(key)])
    return row?.done ?? false
  }

  /** @returns whether another instance held the lock */
  async function take(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    if (await attempt(key)) return false
    for (let wait = TRY_EVERY.first; ; wait = Math.min(2 * wait, TRY_EVERY.most)) {
      await pause(wait * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {}).catch(() => {})
      signal?.throwIfAborted()
      if (await attempt(key)) return true
    }
  }

  /** Not awaited: later queries of this instance run after it. */
  function give(key: string): void {
    const connection = locks.get(key)
    locks.delete(key)
    if (connection === pg.connection) ask(RELEASE, key).catch(() => {})
  }

  await pg.open()
  return {
    publish(name, payload) {
      local.publish(name, payload)
      if (outbox.length < MOST_WAITING) outbox.push([name, payload])
      flush()
    },
    subscribe: local.subscribe,
    lock: (key, act, signal) =>
      local.lock(
        key,
        async waited => {
          const waitedLong = await take(key, signal)
          try {
            return await act(waited || waitedLong)
          } finally {
            give(key)
          }
        },
        signal,
      ),
    async close() {
      await sending
      await pg.close()
      await local.close()
    },
  }
}

/** Advisory locks are named by 64-bit numbers. */
function numberOf(key: string): string {
  return createHash('sha256').update(`filigree ${key}`).digest().readBigInt64BE().toString()
}
