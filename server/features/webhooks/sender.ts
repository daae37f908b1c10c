import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { type Outbound, OutboundError, type OutboundResponse } from '../../outbound/outbound.ts'
import { type Signed, signatureOf } from './sign.ts'
import {
  claimDue,
  enabledWebhooks,
  forgetEnded,
  nextDue,
  releaseClaimed,
  type StoredDelivery,
  type StoredWebhook,
  updateDelivery,
  updateWebhook,
} from './webhooks.store.ts'
import type { Webhooks } from './webhooks.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds before each try after the first (Standard Webhooks 1.0). */
export const RETRIES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
]
/** By how much each of these varies, so that a receiver that is back does not get all at once. */
const SPREAD = 0.2
/** The longest wait that a receiver may ask for by `Retry-After`. */
const MOST_WAIT = HOUR
/** Milliseconds of nothing but failures after which a webhook is switched off. */
const GIVEN_UP = 5 * DAY
/** Milliseconds for which events are kept that were sent, and that were given up. */
const KEPT = { sent: 7 * DAY, dead: 30 * DAY }
/** Milliseconds after which the event of a process that died is sent again. */
const LEASE = 30 * SECOND
/** The longest interval between two looks at the database. */
const POLL_EVERY = 30 * SECOND
const FORGET_EVERY = HOUR

export interface SenderDeps {
  db: Db
  cluster: Cluster
  webhooks: Webhooks
  outbound: Outbound
  /** `Filigree/<version>`. */
  userAgent: string
  /** No other process uses this database: events that were being sent at the start have lost their process. */
  isOnlyServer: boolean
  log: { error(facts: object, text: string): void }
  now?: () => number
}

/** The result of one try. */
export interface Try {
  status: number | null
  /** Why there is no response; `''` otherwise. */
  reason: string
  answer: string
  ms: number
  /** Milliseconds for which the receiver asks to wait. */
  wait?: number
}

/** Sends waiting events, at most two at once to one webhook. Any number of servers may send. */
export class WebhookSender {
  readonly #deps: SenderDeps
  readonly #now: () => number
  readonly #running = new Map<string, Promise<void>>()
  readonly #busy = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #forgetting: NodeJS.Timeout | undefined
  #unsubscribe = () => {}
  #polling = false
  #again = false
  #closed = true

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  async start(): Promise<void> {
    this.#closed = false
    if (this.#deps.isOnlyServer) await releaseClaimed(this.#deps.db, this.#now(), LEASE)
    this.#unsubscribe = this.#deps.cluster.subscribe('webhook.waiting', () => this.#poll())
    this.#forgetting = setInterval(() => void this.#forget(), FORGET_EVERY).unref()
    this.#poll()
  }

  /** Ends when the requests under way have ended; the rest is sent after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    clearInterval(this.#forgetting)
    await Promise.all(this.#running.values())
  }

  /** Sends a body once, and waits for the response. Never rejects. */
  async try(webhook: StoredWebhook, id: string, body: string): Promise<Try> {
    const { outbound, userAgent } = this.#deps
    const began = this.#now()
    const signed: Signed = { id, timestamp: Math.floor(began / SECOND), body }
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(signed.timestamp),
      'webhook-signature': signatureOf(secretsOf(webhook, began), signed),
    }
    try {
      const response = await outbound.call({ url: webhook.url, method: 'POST', headers, body })
      const wait = waitOf(response, began)
      const result = { status: response.status, reason: '', answer: response.text, ms: this.#now() - began }
      return wait === undefined ? result : { ...result, wait }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return { status: null, reason: error.message, answer: '', ms: this.#now() - began }
    }
  }

  #poll(): void {
    this.#again = true
    if (this.#polling || this.#closed) return
    this.#polling = true
    void this.#pollOnce()
      .catch(error => this.#deps.log.error({ err: error }, 'webhooks could not be sent'))
      .finally(() => {
        this.#polling = false
        if (this.#again && !this.#closed) this.#poll()
      })
  }

  async #pollOnce(): Promise<void> {
    this.#again = false
    clearTimeout(this.#timer)
    const { db } = this.#deps
    for (const webhook of await enabledWebhooks(db)) {
      const free = LIMITS.webhookCallsOfOne - (this.#busy.get(webhook.id) ?? 0)
      const limit = Math.min(free, LIMITS.webhookCalls - this.#running.size)
      if (limit <= 0 || this.#closed) continue
      for (const delivery of await claimDue(db, webhook.id, { now: this.#now(), lease: LEASE, limit })) {
        this.#begin(webhook, delivery)
      }
    }
    const next = await nextDue(db)
    const wait = next === undefined ? POLL_EVERY : Math.max(SECOND, Math.min(POLL_EVERY, next - this.#now()))
    if (!this.#closed) this.#timer = setTimeout(() => this.#poll(), wait).unref()
  }

  #begin(webhook: StoredWebhook, delivery: StoredDelivery): void {
    this.#busy.set(webhook.id, (this.#busy.get(webhook.id) ?? 0) + 1)
    const run = this.#send(webhook, delivery)
      .catch(error => this.#deps.log.error({ err: error }, 'a webhook could not be sent'))
      .finally(() => {
        this.#running.delete(delivery.id)
        this.#busy.set(webhook.id, (this.#busy.get(webhook.id) ?? 1) - 1)
        this.#poll()
      })
    this.#running.set(delivery.id, run)
  }

  async #send(webhook: StoredWebhook, delivery: StoredDelivery): Promise<void> {
    const { db, webhooks } = this.#deps
    const result = await this.try(webhook, delivery.id, delivery.body)
    const now = this.#now()
    const tries = delivery.tries + 1
    const noted = {
      tries,
      last_status: result.status,
      last_reason: result.reason,
      last_answer: result.answer,
      last_ms: result.ms,
    }
    const done = result.status !== null && result.status >= 200 && result.status < 300
    const delay = RETRIES[tries - 1]
    const state = done ? 'sent' : delay === undefined || result.status === 410 ? 'dead' : 'waiting'
    await updateDelivery(db, delivery.id, {
      ...noted,
      state,
      next_at: state === 'waiting' ? now + (result.wait ?? spread(delay ?? 0)) : now,
      ended_at: state === 'waiting' ? null : now,
    })
    const failingSince = done ? null : (webhook.failing_since ?? now)
    await updateWebhook(db, webhook.id, { failing_since: failingSince, last_delivery: now })
    if (result.status === 410) await webhooks.switchOff(webhook.id, 'gone')
    else if (failingSince !== null && now - failingSince > GIVEN_UP) await webhooks.switchOff(webhook.id, 'failing')
  }

  async #forget(): Promise<void> {
    const { db, log } = this.#deps
    try {
      for (const state of ['sent', 'dead'] as const) await forgetEnded(db, state, this.#now() - KEPT[state])
    } catch (error) {
      log.error({ err: error }, 'old events of webhooks were not deleted')
    }
  }
}

const spread = (milliseconds: number) => milliseconds * (1 - SPREAD + 2 * SPREAD * Math.random())

const secretsOf = ({ secret, old_secret, old_until }: StoredWebhook, now: number): string[] =>
  old_secret !== null && (old_until ?? 0) > now ? [secret, old_secret] : [secret]

/** What an overloaded receiver asks for (RFC 9110, 10.2.3), in milliseconds. */
function waitOf({ status, headers }: OutboundResponse, now: number): number | undefined {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || value === undefined) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * SECOND : Date.parse(value) - now
  return wait > 0 ? Math.min(wait, MOST_WAIT) : undefined
}
