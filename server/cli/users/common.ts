import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { findUser, findUserByName, type StoredUser } from '../../features/users/users.store.ts'
import { printable, printTable } from '../print.ts'

/**
 * The user that an argument names; a number is an id (http-api 19.2).
 * @throws AppError `not_found`
 */
export async function demandUser(db: Db, word: string): Promise<StoredUser> {
  const user = /^\d{1,15}$/.test(word) ? await findUser(db, Number(word)) : await findUserByName(db, word)
  if (!user) throw new AppError('not_found', `There is no user '${printable(word)}'.`)
  return user
}

/** @throws AppError `exists` */
export async function refuseTakenName(db: Db, username: string): Promise<void> {
  if (!(await findUserByName(db, username))) return
  throw new AppError('exists', `The user '${printable(username)}' already exists.`)
}

const HEADINGS = [
  ...['ID', 'Username', 'Scope', 'Locale', 'V. Mode', 'S.Click', 'Admin', 'Execute', 'Create', 'Rename', 'Modify'],
  ...['Delete', 'Share', 'Download', 'Pwd Lock', 'Disabled'],
]

export function printUsers(users: readonly StoredUser[]): void {
  printTable(
    HEADINGS,
    users.map(({ id, username, scope, locale, viewMode, singleClick, perm, lockPassword, isDisabled }) => [
      String(id),
      ...[username, scope, locale, viewMode].map(printable),
      String(singleClick),
      ...[perm.admin, perm.execute, perm.create, perm.rename, perm.modify, perm.delete].map(String),
      ...[perm.share, perm.download, lockPassword, isDisabled].map(String),
    ]),
  )
}
