import type { Insertable, Selectable, Updateable } from 'kysely'
import type { MailsTable } from '../../db/mail-schema.ts'
import type { Db } from '../../db/schema.ts'

export type StoredMail = Selectable<MailsTable>

export async function insertMail(db: Db, row: Insertable<MailsTable>): Promise<void> {
  await db.insertInto('mails').values(row).execute()
}

export async function updateMail(db: Db, id: string, change: Updateable<MailsTable>): Promise<void> {
  await db.updateTable('mails').set(change).where('id', '=', id).execute()
}

export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

export async function countMails(db: Db, state: string, endedSince = 0): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('state', '=', state)
    .$if(endedSince > 0, query => query.where('ended_at', '>', endedSince))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Claims the oldest due mails, which are due again after the lease. */
export async function claimMails(
  db: Db,
  { now, lease, limit }: { now: number; lease: number; limit: number },
): Promise<StoredMail[]> {
  const isDue = db.selectFrom('mails').select('id').where('state', '=', 'waiting').where('next_at', '<=', now)
  const claimed: StoredMail[] = []
  for (const { id } of await isDue.orderBy('next_at').limit(limit).execute()) {
    // Another process may have been faster.
    const row = await db
      .updateTable('mails')
      .set({ next_at: now + lease })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .returningAll()
      .executeTakeFirst()
    if (row) claimed.push(fromRow(row))
  }
  return claimed
}

/** Makes mails due that an earlier process of the only server may have been sending. */
export async function releaseMails(db: Db, now: number, lease: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ next_at: now })
    .where('state', '=', 'waiting')
    .where('next_at', '>', now)
    .where('next_at', '<=', now + lease)
    .execute()
}

/** When the next mail is due; `undefined` while none waits. */
export async function nextMail(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('mails')
    .select(eb => eb.fn.min('next_at').as('at'))
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at)
}

/** The last mails that were given up. */
export async function deadMails(db: Db, limit: number): Promise<StoredMail[]> {
  const dead = db.selectFrom('mails').selectAll().where('state', '=', 'dead')
  return (await dead.orderBy('ended_at', 'desc').limit(limit).execute()).map(fromRow)
}

/** Deletes mails that ended before a time. */
export async function forgetMails(db: Db, state: 'sent' | 'dead', before: number): Promise<void> {
  await db.deleteFrom('mails').where('state', '=', state).where('ended_at', '<', before).execute()
}

const fromRow = (row: StoredMail): StoredMail => ({
  ...row,
  next_at: Number(row.next_at),
  created_at: Number(row.created_at),
  ended_at: row.ended_at === null ? null : Number(row.ended_at),
})
