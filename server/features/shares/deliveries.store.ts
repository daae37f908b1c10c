import { sql } from 'kysely'
import type { DeliveriesTable } from '../../db/links-schema.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'

/** A file that a visitor begins to send. */
export type NewDelivery = Pick<DeliveriesTable, 'id' | 'link' | 'sender' | 'note' | 'given' | 'bytes' | 'address'>

/**
 * Holds room for a file within the limits of its link, and records it; one statement decides, so that no number of
 * requests at once exceeds them. @returns whether there was room
 */
export function holdDelivery(db: Db, delivery: NewDelivery): Promise<boolean> {
  const { link, bytes } = delivery
  return db.transaction().execute(async changes => {
    const { numUpdatedRows } = await changes
      .updateTable('shares')
      .set(eb => ({ held_items: eb('held_items', '+', 1), held_bytes: eb('held_bytes', '+', bytes) }))
      .where('hash', '=', link)
      .where('purpose', '=', 'drop')
      .where('suspended', 'is', null)
      .where(eb => eb.or([eb('max_file_bytes', 'is', null), eb('max_file_bytes', '>=', bytes)]))
      .where(sql<boolean>`(max_items is null or held_items + received_items + 1 <= max_items)`)
      .where(sql<boolean>`(max_bytes is null or held_bytes + received_bytes + ${bytes} <= max_bytes)`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const texts = { sender: storable(delivery.sender), note: storable(delivery.note), given: toStored(delivery.given) }
    await changes
      .insertInto('deliveries')
      .values({ ...delivery, ...texts, path: '', arrived_at: null })
      .execute()
    return true
  })
}

/** What is held for a file counts as received. @param path below the shared folder @returns its link if it was held */
export function receiveDelivery(db: Db, id: string, path: string, now: number): Promise<string | undefined> {
  return db.transaction().execute(async changes => {
    const held = await changes
      .updateTable('deliveries')
      .set({ path: toStored(path), arrived_at: now })
      .where('id', '=', id)
      .where('arrived_at', 'is', null)
      .returning(['link', 'bytes'])
      .executeTakeFirst()
    if (held) await settle(changes, held, true)
    return held?.link
  })
}

/** Gives back what is held for a file that does not arrive. */
export function releaseDelivery(db: Db, id: string): Promise<void> {
  return db.transaction().execute(async changes => {
    const held = await changes
      .deleteFrom('deliveries')
      .where('id', '=', id)
      .where('arrived_at', 'is', null)
      .returning(['link', 'bytes'])
      .executeTakeFirst()
    if (held) await settle(changes, held, false)
  })
}

async function settle(db: Db, { link, bytes }: Pick<DeliveriesTable, 'link' | 'bytes'>, arrived: boolean) {
  const held = Number(bytes)
  await db
    .updateTable('shares')
    .set(eb => ({
      held_items: eb('held_items', '-', 1),
      held_bytes: eb('held_bytes', '-', held),
      ...(arrived && {
        received_items: eb('received_items', '+', 1),
        received_bytes: eb('received_bytes', '+', held),
      }),
    }))
    .where('hash', '=', link)
    .execute()
}

export async function findDelivery(db: Db, link: string, id: string): Promise<DeliveriesTable | undefined> {
  const rows = db.selectFrom('deliveries').selectAll().where('id', '=', id).where('link', '=', link)
  const row = await rows.executeTakeFirst()
  return row && fromRow(row)
}

/** Where the next page begins. */
export interface DeliveryCursor {
  time: number
  id: string
}

/** What arrived by a link, the newest first. */
export async function listDeliveries(
  db: Db,
  link: string,
  { before, count }: { before: DeliveryCursor | undefined; count: number },
): Promise<(DeliveriesTable & { arrived_at: number })[]> {
  let rows = db.selectFrom('deliveries').selectAll().where('link', '=', link).where('arrived_at', 'is not', null)
  if (before) {
    const { time, id } = before
    rows = rows.where(eb =>
      eb.or([eb('arrived_at', '<', time), eb.and([eb('arrived_at', '=', time), eb('id', '<', id)])]),
    )
  }
  const found = await rows.orderBy('arrived_at', 'desc').orderBy('id', 'desc').limit(count).execute()
  return found.map(row => ({ ...fromRow(row), arrived_at: Number(row.arrived_at) }))
}

const fromRow = (row: DeliveriesTable): DeliveriesTable => ({
  ...row,
  bytes: Number(row.bytes),
  given: fromStored(row.given),
  path: fromStored(row.path),
})
