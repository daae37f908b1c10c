import { type Selectable, sql } from 'kysely'
import type { NoticeKind } from '../../../shared/notice-kinds.ts'
import type { MailAddressesTable } from '../../db/mail-schema.ts'
import type { Db } from '../../db/schema.ts'

export type StoredAddress = Selectable<MailAddressesTable>

const NONE = { address: '', pending: '', notices: 1, notices_off: '' }

export async function addressOf(db: Db, userId: number): Promise<StoredAddress> {
  const row = await db.selectFrom('mail_addresses').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row ?? { ...NONE, user_id: userId }
}

/** Where a user gets mails of a kind; `undefined` without a confirmed address, and for a kind that they do not want. */
export async function noticeAddress(db: Db, userId: number, kind: NoticeKind): Promise<string | undefined> {
  const { address, notices, notices_off } = await addressOf(db, userId)
  return address === '' || notices !== 1 || offOf(notices_off).includes(kind) ? undefined : address
}

/** The kinds in a column. */
export const offOf = (column: string): NoticeKind[] =>
  column.split(' ').filter((kind): kind is NoticeKind => kind !== '')

export async function changeAddress(
  db: Db,
  userId: number,
  change: Partial<Omit<StoredAddress, 'user_id'>>,
): Promise<void> {
  await db
    .insertInto('mail_addresses')
    .values({ ...NONE, ...change, user_id: userId })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

/** The accounts that confirmed an address, letter case aside. */
export async function accountsOf(db: Db, address: string, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('mail_addresses')
    .select('user_id')
    .where(sql`lower(address)`, '=', address.toLowerCase())
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
