import type { Selectable, Updateable } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from '../../db/webhooks-schema.ts'

export type StoredWebhook = Selectable<WebhooksTable>
export type StoredDelivery = Selectable<WebhookDeliveriesTable>

/** A webhook with the numbers of its events. */
export type CountedWebhook = StoredWebhook & { waiting: number; dead: number }

/** Rows per INSERT. */
const INSERTED = 50

export async function listWebhooks(db: Db): Promise<CountedWebhook[]> {
  const counted = (state: string, name: string) =>
    db
      .selectFrom('webhook_deliveries')
      .select(eb => ['webhook_id', eb.fn.countAll<number>().as(name)])
      .where('state', '=', state)
      .groupBy('webhook_id')
      .execute() as Promise<{ webhook_id: string; waiting?: number; dead?: number }[]>
  const [rows, waiting, dead] = await Promise.all([
    db.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id').execute(),
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

export const enabledWebhooks = (db: Db): Promise<StoredWebhook[]> =>
  db.selectFrom('webhooks').selectAll().where('enabled', '=', 1).execute()

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

export type NewDelivery = Pick<StoredDelivery, 'id' | 'webhook_id' | 'type' | 'body' | 'created_at'>

export async function insertDeliveries(db: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map(delivery => ({ ...delivery, state: 'waiting', next_at: delivery.created_at }))
  for (let at = 0; at < rows.length; at += INSERTED) {
    await db
      .insertInto('webhook_deliveries')
      .values(rows.slice(at, at + INSERTED))
      .execute()
  }
}

export async function countWaiting(db: Db, webhook: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhook)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function addDropped(db: Db, webhook: string, count: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set(eb => ({ dropped: eb('dropped', '+', count) }))
    .where('id', '=', webhook)
    .execute()
}

/**
 * Claims the oldest due events of a webhook: they are due again after the lease, so that another process takes over those
 * of one that died.
 */
export async function claimDue(
  db: Db,
  webhook: string,
  { now, lease, limit }: { now: number; lease: number; limit: number },
): Promise<StoredDelivery[]> {
  const due = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook_id', '=', webhook)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('created_at')
    .limit(limit)
    .execute()
  const claimed: StoredDelivery[] = []
  for (const { id } of due) {
    // Another process may have been faster.
    const row = await db
      .updateTable('webhook_deliveries')
      .set({ next_at: now + lease })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .returningAll()
      .executeTakeFirst()
    if (row) claimed.push(row)
  }
  return claimed
}

/** Makes events due that an earlier process of the only server may have been sending. */
export async function releaseClaimed(db: Db, now: number, lease: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_at: now })
    .where('state', '=', 'waiting')
    .where('next_at', '>', now)
    .where('next_at', '<=', now + lease)
    .execute()
}

/** When the next event is due; `undefined` while none waits. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(eb => eb.fn.min('next_at').as('at'))
    .where('state', '=', 'waiting')
    .where('webhooks.enabled', '=', 1)
    .executeTakeFirst()
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at)
}

export async function updateDelivery(db: Db, id: string, change: Updateable<WebhookDeliveriesTable>): Promise<void> {
  await db.updateTable('webhook_deliveries').set(change).where('id', '=', id).execute()
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

/** Deletes events that ended before a time. */
export async function forgetEnded(db: Db, state: 'sent' | 'dead', before: number): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('state', '=', state).where('ended_at', '<', before).execute()
}
