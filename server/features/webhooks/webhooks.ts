import { randomBytes } from 'node:crypto'
import type { ActivityNames } from '../../../shared/api/activity.ts'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { User } from '../../../shared/api/users.ts'
import { NOT_FOR_USERS, type WebhookMode, type WebhookRequest, type WebhookType } from '../../../shared/api/webhooks.ts'
import type { DeliverRows } from '../../audit/audit.store.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { countRows } from '../../outbound/send-queue.store.ts'
import {
  type Choice,
  eventOfDevice,
  eventOfJob,
  eventOfQuota,
  eventsOf,
  type NewDevice,
  type QuotaWarning,
  wants,
} from './events.ts'
import { hearing, type Told } from './hearing.ts'
import { type Earlier, earlierThan, merged, noteLocks, quietUntil, subjectOf, typeAfter } from './quiet.ts'
import { newSecret } from './sign.ts'
import { mayStillHear, type Occurrence, viewerOf } from './viewer.ts'
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
  type Owner,
  type StoredDelivery,
  type StoredWebhook,
  updateWebhook,
} from './webhooks.store.ts'

/** Milliseconds for which a replaced secret signs, too. */
const OLD_SECRET = 24 * 3_600_000
/** Milliseconds of nothing but failures after which administrators are to look: the first tries are quick. */
const FAILING = 10 * 60_000
const ID_BYTES = 8
const MESSAGE_BYTES = 16

export interface WebhooksDeps {
  db: Db
  cluster: Cluster
  /** Who may have webhooks. */
  mode: WebhookMode
  /** Whose operations users hear of, and with names or without. */
  names: ActivityNames
  now?: () => number
}

/** Who calls; administrators share the webhooks that see the whole instance, every other user has their own. */
export type WebhookCaller = Pick<User, 'id' | 'perm'>

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

  get mode(): WebhookMode {
    return this.#deps.mode
  }

  /** @throws AppError `forbidden` for users where only administrators have webhooks */
  demandCaller({ perm }: WebhookCaller): void {
    if (!perm.admin && this.#deps.mode !== 'users') {
      throw new AppError('forbidden', 'The host permits webhooks of administrators only.')
    }
  }

  /** Those of the caller; of an administrator, also those of the administrators. @throws AppError `forbidden` */
  async list(caller: WebhookCaller): Promise<CountedWebhook[]> {
    this.demandCaller(caller)
    return listWebhooks(this.#deps.db, ownersFor(caller))
  }

  /** @throws AppError `not_found` for one that is not the caller’s, `forbidden` */
  async demand(id: string, caller: WebhookCaller): Promise<StoredWebhook> {
    this.demandCaller(caller)
    const found = await findWebhook(this.#deps.db, id)
    if (!found || !ownersFor(caller).includes(found.user_id)) throw new AppError('not_found')
    return found
  }

  /** @returns the new webhook, with its secret @throws AppError `exists` at the limit, `bad_request`, `forbidden` */
  async add(request: WebhookRequest, caller: WebhookCaller): Promise<StoredWebhook> {
    this.demandCaller(caller)
    const { db } = this.#deps
    const owner = caller.perm.admin ? null : caller.id
    demandTypes(request, owner)
    const most = owner === null ? LIMITS.webhooks : LIMITS.webhooksOfUser
    if ((await listWebhooks(db, [owner])).length >= most) {
      throw new AppError('exists', `There are ${most} webhooks already.`)
    }
    const row = {
      user_id: owner,
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

  /** @throws AppError `not_found`, `bad_request`, `forbidden` */
  async change(id: string, request: WebhookRequest, caller: WebhookCaller): Promise<void> {
    demandTypes(request, (await this.demand(id, caller)).user_id)
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

  /** @returns the new secret; the one before it is valid for a day @throws AppError `not_found`, `forbidden` */
  async renewSecret(id: string, caller: WebhookCaller): Promise<string> {
    const before = await this.demand(id, caller)
    const secret = newSecret()
    const change = { secret, old_secret: before.secret, old_until: this.#now() + OLD_SECRET }
    await updateWebhook(this.#deps.db, id, change)
    this.#changed()
    return secret
  }

  /** @throws AppError `not_found`, `forbidden` */
  async remove(id: string, caller: WebhookCaller): Promise<void> {
    await this.demand(id, caller)
    if (!(await deleteWebhook(this.#deps.db, id))) throw new AppError('not_found')
    this.#changed()
  }

  /** Writes the events of rows of the audit log, in their transaction. */
  readonly deliver: DeliverRows = async (transaction, rows) => {
    const isDue = this.mode !== 'off' && (await noteLocks(transaction, rows, this.#now()))
    const after = await this.#deliver(transaction, async () =>
      rows.flatMap(row => eventsOf(row).map(event => ({ event, userId: row.user_id, subject: subjectOf(event) }))),
    )
    return after ?? (isDue ? () => this.#announce() : undefined)
  }

  /** Writes the event of a job that ends, in that transaction. */
  readonly deliverJob = (transaction: Db, job: EndingJob): Promise<(() => void) | undefined> =>
    this.#deliver(transaction, async () => [
      { event: eventOfJob(await endedJob(transaction, job)), userId: job.user_id },
    ])

  /** Writes the event of a quota that is nearly used up, in the transaction that remembers it. */
  readonly deliverQuota = (transaction: Db, warning: QuotaWarning): Promise<(() => void) | undefined> =>
    this.#deliver(transaction, async () => [{ event: eventOfQuota(warning, this.#now()), userId: warning.userId }])

  /** Writes the event of a sign-in from elsewhere, in the transaction that remembers the place; absent without webhooks. */
  get deliverDevice(): ((transaction: Db, device: NewDevice) => Promise<(() => void) | undefined>) | undefined {
    if (this.mode === 'off') return undefined
    return (transaction, device) =>
      this.#deliver(transaction, async () => [{ event: eventOfDevice(device), userId: device.userId }])
  }

  /** Webhooks of administrators that fail, or were switched off for that; users see theirs themselves. */
  async findings(): Promise<Finding[]> {
    if (this.mode === 'off') return []
    const webhooks = await listWebhooks(this.#deps.db, [null])
    const since = this.#now() - FAILING
    return webhooks.flatMap(({ name: what, enabled, off_reason, failing_since }): Finding[] => {
      if (enabled === 0) return off_reason === '' ? [] : [{ code: 'webhookOff', what }]
      return failing_since !== null && failing_since <= since ? [{ code: 'webhookFailing', what }] : []
    })
  }

  /**
   * Those of some events of a webhook that its owner may hear of now: rights may have been lost, and the account may have
   * ended, since they were written.
   */
  async tellable<Row extends StoredDelivery>(
    { user_id: owner }: StoredWebhook,
    rows: readonly Row[],
  ): Promise<readonly Row[]> {
    if (owner === null) return rows
    const viewer = await viewerOf(this.#deps.db, owner)
    if (!viewer) return []
    return rows.filter(({ scope, body }) => scope !== null && mayStillHear(viewer, { scope: fromStored(scope), body }))
  }

  /** @param occurrencesOf is called only where there are webhooks */
  async #deliver(transaction: Db, occurrencesOf: () => Promise<Occurrence[]>): Promise<(() => void) | undefined> {
    if (this.#deps.mode === 'off') return
    this.#enabled ??= this.#read(transaction)
    const enabled = await this.#enabled
    if (enabled.length === 0) return
    const occurrences = await occurrencesOf()
    const all = { events: occurrences.map(of => ({ event: of.event, of })), scope: null }
    const earlier = new Map<Occurrence, Earlier>()
    for (const of of occurrences) earlier.set(of, await earlierThan(transaction, of, this.#now()))
    const heard = hearing(transaction, occurrences, this.#deps.names)
    let written = 0
    for (const webhook of enabled) {
      const told = webhook.user_id === null ? all : await heard(webhook.user_id, choiceOf(webhook).types)
      written += await this.#deliverTo(transaction, webhook, { ...told, earlier })
    }
    return written > 0 ? () => this.#announce() : undefined
  }

  #announce(): void {
    this.#deps.cluster.publish('webhook.waiting', {})
  }

  /** @returns the number of events that wait now */
  async #deliverTo(transaction: Db, webhook: StoredWebhook, { events, scope, earlier }: ToldNow): Promise<number> {
    const choice = choiceOf(webhook)
    const now = this.#now()
    const bodies: Pick<NewDelivery, 'type' | 'body' | 'subject' | 'quiet_until'>[] = []
    for (const { event, of } of events) {
      const before = earlier.get(of)
      const last = before?.of(webhook.id)
      if (!wants(choice, { ...event, type: typeAfter(last, event, now) as WebhookType })) continue
      if (await merged(transaction, last, { event, scope, now })) continue
      const quiet = before && quietUntil(before, last, { event, now })
      const body = JSON.stringify(event)
      if (!wants(choice, event) || Buffer.byteLength(body) > LIMITS.webhookBody) continue
      bodies.push({ type: event.type, body, subject: of.subject ?? null, quiet_until: quiet ?? null })
    }
    if (bodies.length === 0) return 0
    const waiting = await countRows(transaction, 'webhook_deliveries', { state: 'waiting', only: isOf(webhook.id) })
    const room = LIMITS.webhooksWaiting - waiting
    const taken = bodies.slice(0, Math.max(0, room))
    await insertDeliveries(
      transaction,
      taken.map(
        one => ({ ...one, id: newMessageId(), webhook_id: webhook.id, scope, created_at: now }) satisfies NewDelivery,
      ),
    )
    if (taken.length < bodies.length) await addDropped(transaction, webhook.id, bodies.length - taken.length)
    return taken.length
  }

  /** On the connection of the transaction, which on SQLite is the only one. */
  #read(transaction: Db): Promise<readonly StoredWebhook[]> {
    const reading = enabledWebhooks(transaction, this.#deps.mode)
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

interface ToldNow extends Told {
  earlier: ReadonlyMap<Occurrence, Earlier>
}

/** Whose webhooks a caller may see and change. */
const ownersFor = ({ id, perm }: WebhookCaller): readonly Owner[] => (perm.admin ? [null, id] : [id])

/** @throws AppError `bad_request` for a type that users never hear of */
function demandTypes({ types }: WebhookRequest, owner: Owner): void {
  const refused = owner === null ? undefined : types.find(type => NOT_FOR_USERS.has(type))
  if (refused) throw new AppError('bad_request', `types: ${refused} is for administrators`)
}

const choiceOf = ({ types, folder, pattern }: StoredWebhook): Choice => ({
  types: JSON.parse(types) as string[],
  folder: fromStored(folder),
  pattern,
})

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
