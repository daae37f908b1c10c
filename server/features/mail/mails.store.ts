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

/** The last mails that were given up. */
export const deadMails = (db: Db, limit: number): Promise<StoredMail[]> =>
  db.selectFrom('mails').selectAll().where('state', '=', 'dead').orderBy('ended_at', 'desc').limit(limit).execute()
