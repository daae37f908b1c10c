import { type Insertable, type Selectable, sql } from 'kysely'
import type { User } from '../../../shared/api/users.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { noteUserId } from '../../db/ids.ts'
import { inPages, PAGE } from '../../db/paginate.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import { prepared } from '../../db/prepared.ts'
import { quotaColumns, quotaIn } from '../../db/quota-columns.ts'
import type { Db, UsersTable } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'
import { AppError } from '../../errors.ts'
import type { OwnQuota } from '../../lib/amount.ts'
import { isUnknownPassword } from './password.ts'

/** A user as stored: the fields of the API, the password's hash, and when the record last changed. */
export interface StoredUser extends User {
  passwordHash: string
  /** Milliseconds since the epoch. */
  modifiedAt: number
  /** Counts changes of the groups of the user. */
  accessEpoch: number
  /** A directory closed the account: nothing acts for the user. */
  isDisabled: boolean
  /** Whether the scope is the user's: without a home there are only mounts, and what others share. */
  hasHome: boolean
  quota: OwnQuota
}

export type NewUser = Omit<
  StoredUser,
  'id' | 'password' | 'modifiedAt' | 'accessEpoch' | 'quota' | 'isDisabled' | 'hasHome'
>

type Preferences = Pick<
  User,
  | 'locale'
  | 'viewMode'
  | 'singleClick'
  | 'redirectAfterCopyMove'
  | 'sorting'
  | 'hideDotfiles'
  | 'dateFormat'
  | 'aceEditorTheme'
>

/** The defaults of a user (http-api 15.4): no permissions, no rules, the browser's language. */
export const BLANK_USER: Omit<NewUser, 'username' | 'passwordHash'> = {
  scope: '.',
  locale: '',
  lockPassword: false,
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  perm: NO_PERMISSIONS,
  commands: [],
  sorting: DEFAULT_SORTING,
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}

const findRow = prepared((db, id: number) => db.selectFrom('users').selectAll().where('id', '=', id))

export async function findUser(db: Db, id: number): Promise<StoredUser | undefined> {
  const row = await findRow(db, id)
  return row && toUser(row)
}

/** Those of some users that exist, in no order. */
export async function findUsers(db: Db, ids: readonly number[]): Promise<StoredUser[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
  return rows.map(toUser)
}

/** When the user of a session last proved to be present, in milliseconds since the epoch; 0 for never. */
export async function confirmedAt(db: Db, sessionId: string): Promise<number> {
  const row = await db.selectFrom('sessions').select('confirmed_at').where('id', '=', sessionId).executeTakeFirst()
  return Number(row?.confirmed_at ?? 0)
}

/** Names are compared exactly (http-api 15.4). */
export async function findUserByName(db: Db, username: string): Promise<StoredUser | undefined> {
  // A name that cannot be stored does not exist.
  if (storable(username) !== username) return undefined
  const row = await db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
  return row && toUser(row)
}

export async function countUsers(db: Db): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** All users, by id. */
export async function listUsers(db: Db): Promise<StoredUser[]> {
  const some = db.selectFrom('users').selectAll().orderBy('id').limit(PAGE)
  return inPages(last => (last ? some.where('id', '>', last.id) : some).execute(), toUser)
}

/**
 * @param id one that was never used; the next one by default
 * @throws AppError `exists` when the name is taken
 */
export async function addUser(db: Db, user: NewUser, id?: number): Promise<StoredUser> {
  const now = Date.now()
  const row = await db
    .insertInto('users')
    .values({
      ...toRow(user),
      ...(id === undefined ? {} : { id }),
      created_at: now,
      modified_at: now,
      password_set_at: now,
    })
    .onConflict(conflict => conflict.column('username').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('exists')
  if (id !== undefined) await noteUserId(db, id)
  return toUser(row)
}

/** Replaces all fields of a user; older tokens ask for renewal from now on. The name must be free. */
export async function replaceUser(db: Db, id: number, user: NewUser): Promise<void> {
  const now = Date.now()
  const passwordSetAt = sql<number>`case when password_hash = ${user.passwordHash} then password_set_at else ${now} end`
  const row = { ...toRow(user), modified_at: now, password_set_at: passwordSetAt }
  await db.updateTable('users').set(row).where('id', '=', id).execute()
}

/** When the password of a user was set; `undefined` where that was not noted. */
export async function passwordSetAt(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('users').select('password_set_at').where('id', '=', id).executeTakeFirst()
  return Number(row?.password_set_at) || undefined
}

/** Sets the quota of a user, or only that of bytes or items. */
export async function setUserQuota(db: Db, id: number, quota: Partial<OwnQuota>): Promise<void> {
  await db.updateTable('users').set(quotaColumns(quota)).where('id', '=', id).execute()
}

/** Who disables an account. */
export type Disabler = 'admin' | 'directory'

/**
 * Disables an account, or enables it again. One that an administrator disabled stays so for a directory.
 * @returns whether that changed it
 */
export async function setDisabled(
  db: Db,
  id: number,
  isDisabled: boolean,
  by: Disabler = 'directory',
): Promise<boolean> {
  const account = db
    .updateTable('users')
    .set({ disabled_at: isDisabled ? Date.now() : 0, disabled_by: isDisabled ? by : '' })
    .where('id', '=', id)
  const isOther = isDisabled
    ? account.where(({ or, eb }) =>
        or([eb('disabled_at', '=', 0), ...(by === 'admin' ? [eb('disabled_by', '!=', 'admin')] : [])]),
      )
    : account.where('disabled_at', '!=', 0)
  const mayChange = isDisabled || by === 'admin' ? isOther : isOther.where('disabled_by', '!=', 'admin')
  return (await mayChange.returning('id').executeTakeFirst()) !== undefined
}

/** Takes the home of a user, or gives it back; its folder stays as it is. */
export async function setHasHome(db: Db, id: number, hasHome: boolean): Promise<void> {
  const home = hasHome ? 'scope' : 'none'
  // Tokens name what is possible at home, and are renewed for it.
  await db.updateTable('users').set({ home, modified_at: Date.now() }).where('id', '=', id).execute()
}

/** The users without a home. */
export async function listHomeless(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('users').select('id').where('home', '=', 'none').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The accounts that are disabled, and by whom. */
export async function listDisabled(db: Db): Promise<{ id: number; by: Disabler }[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'disabled_by'])
    .where('disabled_at', '!=', 0)
    .orderBy('id')
    .execute()
  return rows.map(({ id, disabled_by }) => ({ id, by: disabled_by === 'admin' ? 'admin' : 'directory' }))
}

/** Whether a password of the user is checked here: others have one that no user knows, or one of a directory. */
export async function hasLocalPassword(db: Db, user: StoredUser): Promise<boolean> {
  return isPasswordLocal(user, await idsIn(db, 'identities', [user]))
}

const isPasswordLocal = ({ id, passwordHash, lockPassword }: StoredUser, identified: ReadonlySet<number>): boolean =>
  !isUnknownPassword(passwordHash) && (!lockPassword || !identified.has(id))

/** Of some users, those who can sign in without a provider or a directory: with a password or a passkey. */
export async function thoseWithOwnWay(db: Db, users: readonly StoredUser[]): Promise<Set<number>> {
  const [identified, withPasskeys] = [await idsIn(db, 'identities', users), await idsIn(db, 'passkeys', users)]
  const own = users.filter(user => withPasskeys.has(user.id) || isPasswordLocal(user, identified))
  return new Set(own.map(({ id }) => id))
}

/** The users of whom a table has a row. */
async function idsIn(db: Db, table: 'identities' | 'passkeys', users: readonly StoredUser[]): Promise<Set<number>> {
  const ids = users.map(({ id }) => id)
  const rows = await db.selectFrom(table).select('user_id').where('user_id', 'in', ids).execute()
  return new Set(rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))
}

/** Deletes a user; the sessions are deleted with the row. */
export async function deleteUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/**
 * Replaces the hash of the same password and nothing else (it was checked against an older kind of hash), unless the
 * password was changed concurrently.
 */
export async function rehashPassword(db: Db, { id, passwordHash }: StoredUser, newHash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .execute()
}

export function toUser(row: Selectable<UsersTable>): StoredUser {
  const preferences: Preferences = JSON.parse(row.preferences)
  return {
    ...preferences,
    id: row.id,
    username: row.username,
    password: '',
    passwordHash: row.password_hash,
    scope: fromStored(row.scope),
    lockPassword: row.lock_password === 1,
    perm: { ...NO_PERMISSIONS, ...JSON.parse(row.perm) },
    rules: JSON.parse(row.rules),
    commands: JSON.parse(row.commands),
    modifiedAt: Number(row.modified_at),
    accessEpoch: Number(row.access_epoch),
    isDisabled: Number(row.disabled_at) !== 0,
    hasHome: row.home !== 'none',
    quota: quotaIn(row),
  }
}

type UserRow = Omit<
  Insertable<UsersTable>,
  | 'id'
  | 'created_at'
  | 'modified_at'
  | 'access_epoch'
  | 'quota_bytes'
  | 'quota_items'
  | 'disabled_at'
  | 'disabled_by'
  | 'home'
  | 'password_set_at'
>

function toRow(user: NewUser): UserRow {
  const { username, passwordHash, scope, lockPassword, perm, rules, commands, ...rest } = user
  const { locale, viewMode, singleClick, redirectAfterCopyMove, sorting, hideDotfiles, dateFormat, aceEditorTheme } =
    rest
  const preferences: Preferences = {
    locale,
    viewMode,
    singleClick,
    redirectAfterCopyMove,
    sorting,
    hideDotfiles,
    dateFormat,
    aceEditorTheme,
  }
  return {
    username,
    password_hash: passwordHash,
    scope: toStored(scope),
    lock_password: lockPassword ? 1 : 0,
    perm: JSON.stringify(perm),
    rules: JSON.stringify(rules),
    commands: JSON.stringify(commands),
    preferences: JSON.stringify(preferences),
  }
}
