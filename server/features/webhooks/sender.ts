import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { type Outbound, OutboundError, type OutboundResponse } from '../../outbound/outbound.ts'
import { nextTry, SendQueue } from '../../outbound/send-queue.ts'
import { type Signed, signatureOf } from './sign.ts'
import {
  deleteDelivery,
  dueWebhooks,
  findWebhook,
  isOf,
  isOfEnabled,
  type Owner,
  type StoredDelivery,
  type StoredWebhook,
  updateDelivery,
  updateWebhook,
} from './webhooks.store.ts'
import type { Webhooks } from './webhooks.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** The longest wait that a receiver may ask for by `Retry-After`. */
const MOST_WAIT = HOUR
/** Milliseconds of nothing but failures after which a webhook is switched off. */
const GIVEN_UP = 5 * DAY

export interface SenderDeps {
  db: Db
  cluster: Cluster
  webhooks: Webhooks
  outbound: Outbound
  /** Called before a webhook is switched off. */
  onOff(webhook: { id: string; name: string; owner: Owner; reason: 'gone' | 'failing' }): Promise<void>
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
  readonly #queue: SendQueue<'webhook_deliveries'>
  #unsubscribe = () => {}

  constructor(deps: SenderDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    const { db, log, isOnlyServer } = deps
    this.#queue = new SendQueue({
      ...{ db, table: 'webhook_deliveries', name: 'webhooks', isOnlyServer, log, now: this.#now },
      only: isOfEnabled(deps.webhooks.mode),
      claim: running => this.#claim(running),
      send: delivery => this.#send(delivery),
    })
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.cluster.subscribe('webhook.waiting', () => this.#queue.poll())
    await this.#queue.start()
  }

  /** Ends when the requests under way have ended; the rest is sent after the next start. */
  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#queue.close()
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

  async #claim(running: readonly StoredDelivery[]): Promise<StoredDelivery[]> {
    const { db, webhooks } = this.#deps
    const claimed: StoredDelivery[] = []
    for (const { id } of await dueWebhooks(db, webhooks.mode, this.#now())) {
      const busy = running.filter(({ webhook_id }) => webhook_id === id).length
      const free = LIMITS.webhookCalls - running.length - claimed.length
      const limit = Math.min(LIMITS.webhookCallsOfOne - busy, free)
      if (limit > 0) claimed.push(...(await this.#queue.take(limit, isOf(id))))
    }
    return claimed
  }

  async #send(delivery: StoredDelivery): Promise<void> {
    const { db, webhooks } = this.#deps
    const webhook = await findWebhook(db, delivery.webhook_id)
    if (!webhook) return
    const [heard] = await webhooks.tellable(webhook, [delivery])
    if (!heard) return deleteDelivery(db, delivery.id)
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
    const next = done || result.status === 410 ? undefined : nextTry(tries, now)
    const waiting = { state: 'waiting', next_at: result.wait === undefined ? next : now + result.wait }
    const ended = { state: done ? 'sent' : 'dead', next_at: now, ended_at: now }
    await updateDelivery(db, delivery.id, { ...noted, ...(next === undefined ? ended : waiting) })
    const failingSince = done ? null : (webhook.failing_since ?? now)
    await updateWebhook(db, webhook.id, { failing_since: failingSince, last_delivery: now })
    if (result.status === 410) await this.#switchOff(webhook, 'gone')
    else if (failingSince !== null && now - failingSince > GIVEN_UP) await this.#switchOff(webhook, 'failing')
  }

  async #switchOff({ id, name, user_id: owner }: StoredWebhook, reason: 'gone' | 'failing'): Promise<void> {
    await this.#deps.onOff({ id, name, owner, reason })
    await this.#deps.webhooks.switchOff(id, reason)
  }
}

const secretsOf = ({ secret, old_secret, old_until }: StoredWebhook, now: number): string[] =>
  old_secret !== null && (old_until ?? 0) > now ? [secret, old_secret] : [secret]

/** What an overloaded receiver asks for (RFC 9110, 10.2.3), in milliseconds. */
function waitOf({ status, headers }: OutboundResponse, now: number): number | undefined {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || value === undefined) return undefined
  const wait = /^\d+$/.test(value) ? Number(value) * SECOND : Date.parse(value) - now
  return wait > 0 ? Math.min(wait, MOST_WAIT) : undefined
}
