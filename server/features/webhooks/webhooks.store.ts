import { type Expression, expressionBuilder, type Selectable, type SqlBool, type Updateable } from 'kysely'
import { MAX_JOB_ITEMS } from '../../../shared/api/jobs.ts'
import type { WebhookMode } from '../../../shared/api/webhooks.ts'
import { toStored } from '../../db/paths.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from '../../db/webhooks-schema.ts'
import type { EndedJob } from './events.ts'

export type StoredWebhook = Selectable<WebhooksTable>
export type StoredDelivery = Selectable<WebhookDeliveriesTable>

/** The user whose a webhook is; null for the administrators. */
export type Owner = number | null

/** A webhook with the numbers of its events. */
export type CountedWebhook = StoredWebhook & { waiting: number; dead: number }

/** Rows per INSERT. */
const INSERTED = 50

/** Those of some owners; null stands for the administrators. */
export async function listWebhooks(db: Db, owners: readonly Owner[]): Promise<CountedWebhook[]> {
  const counted = (state: string, name: string) =>
    db
      .selectFrom('webhook_deliveries')
      .select(eb => ['webhook_id', eb.fn.countAll<number>().as(name)])
      .where('state', '=', state)
      .groupBy('webhook_id')
      .execute() as Promise<{ webhook_id: string; waiting?: number; dead?: number }[]>
  const [rows, waiting, dead] = await Promise.all([
    db
      .selectFrom('webhooks')
      .selectAll()
      .where(eb => eb.or(owners.map(owner => (owner === null ? eb('user_id', 'is', null) : eb('user_id', '=', owner)))))
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    counted('waiting', 'waiting'),
    counted('dead', 'dead'),
  ])
  const of = (list: typeof waiting, id: string) => list.find(({ webhook_id }) => webhook_id === id)
  return rows.map(row => ({
    ...row,
    waiting: Number(of(waiting, row.id)?.waiting ?? 0),
    dead: Number(of(dead, row.id)?.dead ?? 0),
  }))
}

export const findWebhook = (db: Db, id: string): Promise<StoredWebhook | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/** @param mode without `users`, those of users are left out */
export const enabledWebhooks = (db: Db, mode: WebhookMode): Promise<StoredWebhook[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('enabled', '=', 1)
    .$if(mode !== 'users', query => query.where('user_id', 'is', null))
    .execute()

/** Those of these that have events to send now; the one that was served last comes last. */
export const dueWebhooks = (db: Db, mode: WebhookMode, now: number): Promise<Pick<StoredWebhook, 'id'>[]> =>
  db
    .selectFrom('webhooks')
    .select('id')
    .where('enabled', '=', 1)
    .$if(mode !== 'users', query => query.where('user_id', 'is', null))
    .where('id', 'in', eb =>
      eb
        .selectFrom('webhook_deliveries')
        .select('webhook_id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', now),
    )
    .orderBy(eb => eb.fn.coalesce('last_delivery', eb.val(0)))
    .execute()

export async function insertWebhook(db: Db, row: Omit<StoredWebhook, 'dropped'>): Promise<void> {
  await db.insertInto('webhooks').values(row).execute()
}

/** @returns whether there is such a webhook */
export async function updateWebhook(db: Db, id: string, change: Updateable<WebhooksTable>): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('webhooks').set(change).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0
}

/** Deletes a webhook, with the events that wait for it. */
export async function deleteWebhook(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0
}

export type NewDelivery = Pick<
  StoredDelivery,
  'id' | 'webhook_id' | 'type' | 'body' | 'scope' | 'subject' | 'quiet_until' | 'created_at'
>

export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map(delivery => ({
    ...delivery,
    state: 'waiting',
    next_at: delivery.quiet_until ?? delivery.created_at,
  }))
  for (let at = 0; at < rows.length; at += INSERTED) {
    await db
      .insertInto('webhook_deliveries')
      .values(rows.slice(at, at + INSERTED))
      .execute()
  }
}

/** Events about a subject since a time, the oldest first. */
export const earlierDeliveries = (db: Db, subject: string, since: number): Promise<StoredDelivery[]> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('subject', '=', subject)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute()

/** When the last lock of a place ends. @param place in the served root */
export async function lockedUntil(db: Db, place: string, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('locks')
    .select(eb => eb.fn.max('expires_at').as('until'))
    .where('place', '=', toStored(place))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.until === null || row?.until === undefined ? undefined : Number(row.until)
}

/** Lets the events about a subject that wait for more, and of which no try has begun, wait until a time. @returns whether there are any */
export async function moveQuiet(
  db: Db,
  subject: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ next_at: until, quiet_until: until })
    .where('subject', '=', subject)
    .where('state', '=', 'waiting')
    .where('next_at', '>', now)
    .whereRef('next_at', '=', 'quiet_until')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Changes an event that waits for more. @returns whether no try of it has begun */
export async function replaceQuiet(
  db: Db,
  { id, quiet_until }: StoredDelivery,
  change: Pick<StoredDelivery, 'body' | 'scope'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('next_at', '=', quiet_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const deliveries = expressionBuilder<Schema, 'webhook_deliveries'>()

export const isOf = (webhook: string): Expression<SqlBool> => deliveries('webhook_id', '=', webhook)

export const isOfEnabled = (mode: WebhookMode): Expression<SqlBool> =>
  deliveries('webhook_id', 'in', eb =>
    eb
      .selectFrom('webhooks')
      .select('webhooks.id')
      .where('enabled', '=', 1)
      .$if(mode !== 'users', query => query.where('user_id', 'is', null)),
  )

export async function addDropped(db: Db, webhook: string, count: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set(eb => ({ dropped: eb('dropped', '+', count) }))
    .where('id', '=', webhook)
    .execute()
}

export async function updateDelivery(db: Db, id: string, change: Updateable<WebhookDeliveriesTable>): Promise<void> {
  await db.updateTable('webhook_deliveries').set(change).where('id', '=', id).execute()
}

export async function deleteDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('id', '=', id).execute()
}

/** A page of events of a webhook, the newest first. */
export async function listDeliveries(
  db: Db,
  webhook: string,
  { state, before, limit }: { state: string | undefined; before: string | undefined; limit: number },
): Promise<StoredDelivery[]> {
  const anchor = before === undefined ? undefined : await findDelivery(db, webhook, before)
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook)
    .$if(state !== undefined, query => query.where('state', '=', state ?? ''))
    .$if(anchor !== undefined, query =>
      query.where(eb =>
        eb.or([
          eb('created_at', '<', anchor?.created_at ?? 0),
          eb.and([eb('created_at', '=', anchor?.created_at ?? 0), eb('id', '<', anchor?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export const findDelivery = (db: Db, webhook: string, id: string): Promise<StoredDelivery | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook)
    .where('id', '=', id)
    .executeTakeFirst()

/** A job as its row is when it ends. */
export type EndingJob = Pick<
  Selectable<Schema['jobs']>,
  'id' | 'user_id' | 'kind' | 'state' | 'origin' | 'started_at' | 'ended_at'
>

/** A job with the name of its user, and the numbers of its items; their parts are not counted. */
export async function endedJob(db: Db, job: EndingJob): Promise<EndedJob> {
  const user = await db.selectFrom('users').select('username').where('id', '=', job.user_id).executeTakeFirst()
  const rows = await db
    .selectFrom('job_items')
    .select(eb => ['state', eb.fn.countAll<number>().as('count')])
    .where('job_id', '=', job.id)
    .where('position', '<', MAX_JOB_ITEMS)
    .groupBy('state')
    .execute()
  const count = (some: typeof rows) => some.reduce((sum, row) => sum + Number(row.count), 0)
  const failed = count(rows.filter(({ state }) => state === 'failed'))
  return { ...job, username: user?.username ?? '', items: count(rows), failed }
}
