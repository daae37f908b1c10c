import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { openLocalCluster } from './local.ts'
import { Joiner, partsOf } from './message-chunks.ts'
import { Link } from './pg-connection.ts'

/** Milliseconds between two attempts to get a lock that another instance holds; they grow. */
const TRY_EVERY = { first: 5, most: 100 }
/** Messages that wait to be sent at most; those who miss more look for themselves. */
const MOST_WAITING = 10_000

const NOTIFY = `select pg_notify('filigree', part) from unnest($1::text[]) with ordinality as t(part, n) order by n`
const TRY = 'select pg_try_advisory_lock($1) as done'
const RELEASE = 'select pg_advisory_unlock($1) as done'

type Message = [name: string, payload: unknown]

/**
 * The cluster of instances that work on one database of PostgreSQL: messages by NOTIFY, turns by advisory locks, both
 * over one connection (no pooler that shares connections between statements may stand in between).
 * @throws AppError `unavailable`
 */
export async function openPostgresCluster(address: string): Promise<Cluster> {
  const local = openLocalCluster()
  const own = randomBytes(8).toString('hex')
  const joiner = new Joiner(own)
  const locks = new Map<string, object | undefined>()
  const outbox: Message[] = []
  let sending = Promise.resolve()
  let isSending = false

  const link = new Link(address, {
    heard(text) {
      const messages = joiner.add(text)
      for (const [name, payload] of (messages ?? []) as Message[]) local.hear(name, payload)
    },
    restored() {
      joiner.clear()
      for (const key of locks.keys()) void retake(key).catch(() => {})
      local.publish('messages.missed', {})
      flush()
    },
  })

  function flush(): void {
    if (!isSending) sending = send()
  }

  /** What gathers while a statement is under way goes with the next one. */
  async function send(): Promise<void> {
    isSending = true
    try {
      while (outbox.length > 0) {
        const messages = [...outbox]
        await link.ask(NOTIFY, [partsOf(own, messages)])
        outbox.splice(0, messages.length)
      }
    } catch {
      // The connection is lost: what waits is sent once it is restored.
    } finally {
      isSending = false
    }
  }

  async function attempt(key: string): Promise<boolean> {
    const got = await ask(TRY, key)
    if (got) locks.set(key, link.connection)
    return got
  }

  /** Gets back a lock that went with a lost connection, unless somebody was quicker, or it is no longer needed. */
  async function retake(key: string): Promise<void> {
    if (!(await ask(TRY, key))) return
    if (locks.has(key)) locks.set(key, link.connection)
    else await ask(RELEASE, key)
  }

  async function ask(statement: string, key: string): Promise<boolean> {
    const [row] = await link.ask<{ done: boolean }>(statement, [numberOf(key)])
    return row?.done ?? false
  }

  /** @returns whether another instance held it */
  async function take(key: string, signal: AbortSignal | undefined): Promise<boolean> {
    if (await attempt(key)) return false
    for (let wait = TRY_EVERY.first; ; wait = Math.min(2 * wait, TRY_EVERY.most)) {
      await pause(wait * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {}).catch(() => {})
      signal?.throwIfAborted()
      if (await attempt(key)) return true
    }
  }

  /** Nobody waits for it: what this instance asks for later comes later. */
  function give(key: string): void {
    const connection = locks.get(key)
    locks.delete(key)
    if (connection === link.connection) ask(RELEASE, key).catch(() => {})
  }

  await link.open()
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
      await link.close()
      await local.close()
    },
  }
}

/** Locks are known by numbers of 64 bits. */
function numberOf(key: string): string {
  return createHash('sha256').update(`filigree ${key}`).digest().readBigInt64BE().toString()
}
