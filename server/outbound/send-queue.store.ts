import type { Expression, Selectable, SqlBool } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'

/** Tables whose rows wait to be sent; they have these columns in common: `id`, `state`, `next_at`, `created_at`, `ended_at`. */
export type QueueTable = 'mails' | 'webhook_deliveries'

export type StoredRow<Table extends QueueTable> = Selectable<Schema[Table]> & { id: string }

export type QueueState = 'waiting' | 'sent' | 'dead'

/** Claims the oldest due rows, which are due again after the lease. */
export async function claimDue<Table extends QueueTable>(
  db: Db,
  table: Table,
  { now, lease, limit, only }: { now: number; lease: number; limit: number; only?: Expression<SqlBool> | undefined },
): Promise<StoredRow<Table>[]> {
  const waiting = rowsOf(db, table).select('id').where('state', '=', 'waiting').where('next_at', '<=', now)
  const due = only ? waiting.where(only) : waiting
  const claimed: StoredRow<Table>[] = []
  for (const { id } of await due.orderBy('next_at').orderBy('created_at').limit(limit).execute()) {
    // Another process may have been faster.
    const row = await db
      .updateTable(table as QueueTable)
      .set({ next_at: now + lease })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .returningAll()
      .executeTakeFirst()
    if (row) claimed.push(row as StoredRow<Table>)
  }
  return claimed
}

/** Makes rows due that an earlier process of the only server may have been sending. */
export async function releaseClaimed(
  db: Db,
  table: QueueTable,
  { now, lease }: { now: number; lease: number },
): Promise<void> {
  await db
    .updateTable(table)
    .set({ next_at: now })
    .where('state', '=', 'waiting')
    .where('next_at', '>', now)
    .where('next_at', '<=', now + lease)
    .execute()
}

/** When the next row is due; `undefined` while none waits. */
export async function nextDue(db: Db, table: QueueTable, only?: Expression<SqlBool>): Promise<number | undefined> {
  const waiting = rowsOf(db, table).where('state', '=', 'waiting')
  const row = await (only ? waiting.where(only) : waiting)
    .select(eb => eb.fn.min('next_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}

export async function countRows(
  db: Db,
  table: QueueTable,
  { state, endedSince, only }: { state: QueueState; endedSince?: number; only?: Expression<SqlBool> },
): Promise<number> {
  const rows = rowsOf(db, table).where('state', '=', state)
  const { count } = await (only ? rows.where(only) : rows)
    .$if(endedSince !== undefined, query => query.where('ended_at', '>', endedSince ?? 0))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes rows that ended before a time. */
export async function deleteEnded(
  db: Db,
  table: QueueTable,
  { state, before }: { state: QueueState; before: number },
): Promise<void> {
  await db.deleteFrom(table).where('state', '=', state).where('ended_at', '<', before).execute()
}

const rowsOf = (db: Db, table: QueueTable) => db.selectFrom(table)
