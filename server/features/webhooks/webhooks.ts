import { randomBytes } from 'node:crypto'
import type { WebhookRequest } from '../../../shared/api/webhooks.ts'
import type { DeliverRows } from '../../audit/audit.store.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { countRows } from '../../outbound/send-queue.store.ts'
import { eventOf, eventOfJob, eventOfQuota, type QuotaWarning, type WebhookEvent, wants } from './events.ts'
import { newSecret } from './sign.ts'
import {
  addDropped,
  type CountedWebhook,
  deleteWebhook,
  type EndingJob,
  enabledWebhooks,
  endedJob,
  findWebhook,
  insertDeliveries,
  insertWebhook,
  isOf,
  listWebhooks,
  type NewDelivery,
  type StoredWebhook,
  updateWebhook,
} from './webhooks.store.ts'

/** Milliseconds for which a replaced secret signs, too. */
const OLD_SECRET = 24 * 3_600_000
const ID_BYTES = 8
const MESSAGE_BYTES = 16

export interface WebhooksDeps {
  db: Db
  cluster: Cluster
  /** Whether the host permits webhooks. */
  permitted: boolean
  now?: () => number
}

/**
 * Webhooks: addresses that are notified of events. Events are the rows of the audit log, and are written in their
 * transaction: what was done is sent at least once, and what was not done never.
 */
export class Webhooks {
  readonly #deps: WebhooksDeps
  readonly #now: () => number
  /** Those that are switched on; read again after a change by any server. */
  #enabled: Promise<readonly StoredWebhook[]> | undefined

  constructor(deps: WebhooksDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    const forget = () => {
      this.#enabled = undefined
    }
    deps.cluster.subscribe('webhooks.changed', forget)
    deps.cluster.subscribe('messages.missed', forget)
  }

  list(): Promise<CountedWebhook[]> {
    return listWebhooks(this.#deps.db)
  }

  /** @throws AppError `not_found` */
  async demand(id: string): Promise<StoredWebhook> {
    const found = await findWebhook(this.#deps.db, id)
    if (!found) throw new AppError('not_found')
    return found
  }

  /** @returns the new webhook, with its secret @throws AppError `exists` at the limit */
  async add(request: WebhookRequest): Promise<StoredWebhook> {
    const { db } = this.#deps
    if ((await listWebhooks(db)).length >= LIMITS.webhooks) {
      throw new AppError('exists', `There are ${LIMITS.webhooks} webhooks already.`)
    }
    const row = {
      id: randomBytes(ID_BYTES).toString('hex'),
      secret: newSecret(),
      old_secret: null,
      old_until: null,
      off_reason: '',
      failing_since: null,
      last_delivery: null,
      created_at: this.#now(),
      ...columnsOf(request),
    }
    await insertWebhook(db, row)
    this.#changed()
    return { ...row, dropped: 0 }
  }

  /** @throws AppError `not_found` */
  async change(id: string, request: WebhookRequest): Promise<void> {
    const fresh = request.enabled ? { off_reason: '', failing_since: null } : {}
    const found = await updateWebhook(this.#deps.db, id, { ...columnsOf(request), ...fresh })
    if (!found) throw new AppError('not_found')
    this.#changed()
  }

  /** Switches a webhook off, with the reason. */
  async switchOff(id: string, reason: 'gone' | 'failing'): Promise<void> {
    await updateWebhook(this.#deps.db, id, { enabled: 0, off_reason: reason })
    this.#changed()
  }

  /** @returns the new secret; the one before it is valid for a day @throws AppError `not_found` */
  async renewSecret(id: string): Promise<string> {
    const before = await this.demand(id)
    const secret = newSecret()
    const change = { secret, old_secret: before.secret, old_until: this.#now() + OLD_SECRET }
    await updateWebhook(this.#deps.db, id, change)
    this.#changed()
    return secret
  }

  /** @throws AppError `not_found` */
  async remove(id: string): Promise<void> {
    if (!(await deleteWebhook(this.#deps.db, id))) throw new AppError('not_found')
    this.#changed()
  }

  /** Writes the events of rows of the audit log, in their transaction. */
  readonly deliver: DeliverRows = (transaction, rows) =>
    this.#deliver(transaction, async () => rows.map(eventOf).filter(event => event !== undefined))

  /** Writes the event of a job that ends, in that transaction. */
  readonly deliverJob = (transaction: Db, job: EndingJob): Promise<(() => void) | undefined> =>
    this.#deliver(transaction, async () => [eventOfJob(await endedJob(transaction, job))])

  /** Writes the event of a quota that is nearly used up, in the transaction that remembers it. */
  readonly deliverQuota = (transaction: Db, warning: QuotaWarning): Promise<(() => void) | undefined> =>
    this.#deliver(transaction, async () => [eventOfQuota(warning, this.#now())])

  /** @param eventsOf is called only where there are webhooks */
  async #deliver(transaction: Db, eventsOf: () => Promise<WebhookEvent[]>): Promise<(() => void) | undefined> {
    if (!this.#deps.permitted) return
    this.#enabled ??= this.#read(transaction)
    const enabled = await this.#enabled
    if (enabled.length === 0) return
    const events = await eventsOf()
    let written = 0
    for (const webhook of enabled) written += await this.#deliverTo(transaction, webhook, events)
    return written > 0 ? () => this.#deps.cluster.publish('webhook.waiting', {}) : undefined
  }

  /** @returns the number of events that wait now */
  async #deliverTo(transaction: Db, webhook: StoredWebhook, events: readonly WebhookEvent[]): Promise<number> {
    const { pattern } = webhook
    const choice = { types: JSON.parse(webhook.types) as string[], folder: fromStored(webhook.folder), pattern }
    const bodies = events
      .filter(event => wants(choice, event))
      .map(event => ({ type: event.type, body: JSON.stringify(event) }))
      .filter(({ body }) => Buffer.byteLength(body) <= LIMITS.webhookBody)
    if (bodies.length === 0) return 0
    const waiting = await countRows(transaction, 'webhook_deliveries', { state: 'waiting', only: isOf(webhook.id) })
    const room = LIMITS.webhooksWaiting - waiting
    const now = this.#now()
    const taken = bodies.slice(0, Math.max(0, room))
    await insertDeliveries(
      transaction,
      taken.map(one => ({ ...one, id: newMessageId(), webhook_id: webhook.id, created_at: now }) satisfies NewDelivery),
    )
    if (taken.length < bodies.length) await addDropped(transaction, webhook.id, bodies.length - taken.length)
    return taken.length
  }

  /** On the connection of the transaction, which on SQLite is the only one. */
  #read(transaction: Db): Promise<readonly StoredWebhook[]> {
    const reading = enabledWebhooks(transaction)
    // A failed read must not stay.
    reading.catch(() => {
      this.#enabled = undefined
    })
    return reading
  }

  #changed(): void {
    this.#deps.cluster.publish('webhooks.changed', {})
  }
}

/** The header `webhook-id` of an event. */
export const newMessageId = (): string => `msg_${randomBytes(MESSAGE_BYTES).toString('base64url')}`

function columnsOf({ name, url, types, folder, pattern, enabled }: WebhookRequest) {
  const place = folder.replace(/\/+$/, '')
  return {
    name,
    url,
    types: JSON.stringify(types),
    folder: place && toStored(place),
    pattern,
    enabled: enabled ? 1 : 0,
  }
}
