import type { Settings } from '../../../shared/api/settings.ts'
import type { User } from '../../../shared/api/users.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { cleanFolder } from '../settings/checks.ts'
import { readSettings } from '../settings/settings.store.ts'
import { checkUsername, foldScope, homeName } from './names.ts'
import {
  addUser,
  BLANK_USER,
  deleteUser,
  findUser,
  findUserByName,
  hasLocalPassword,
  listUsers,
  type NewUser,
  replaceUser,
  type StoredUser,
  setDisabled,
  setHasHome,
  thoseWithOwnWay,
} from './users.store.ts'

/** The dependencies of account operations. */
export interface AccountDeps {
  db: Db
  cluster: Cluster
  /**
   * Makes the folder of a scope; an existing one is fine unless `fresh`. With `tries` it makes none.
   * @throws AppError `exists` when the folder exists and `fresh` is set
   */
  makeHome(scope: string, how: { fresh: boolean; tries?: boolean }): Promise<void>
}

/** Changing and removing needs no folders. */
export type UserDeps = Pick<AccountDeps, 'db' | 'cluster'>

/** One change of the user list at a time: names, homes and the last administrator concern all users. */
const LOCK = 'users'

/**
 * How an account is created. Users who choose their own name, at sign-up or at a provider, must not get a folder with
 * existing content as their home.
 */
export type Origin = 'admin' | 'signup' | 'proxy' | 'hook' | 'provider'

interface ScopeOptions {
  /** A folder that the host chose for this user alone. */
  home?: string | undefined
  tries?: boolean
}

/**
 * Creates an account, for every origin. An empty `scope` means a home of its own (http-api 16.4) where homes are
 * enabled; users whom no administrator created always get one, never the whole served root.
 * @throws AppError `bad_request` for an invalid name; `exists` when the name, or the home, is taken
 */
export async function provisionUser(
  deps: AccountDeps,
  account: NewUser,
  origin: Origin,
  { home, also }: Pick<ScopeOptions, 'home'> & { also?: StoreWith } = {},
): Promise<StoredUser> {
  checkUsername(account.username)
  return deps.cluster.lock(LOCK, async () => {
    const scope = await openScope(deps, account, origin, { home })
    return deps.db.transaction().execute(async transaction => {
      const user = await addUser(transaction, { ...account, scope })
      await also?.(transaction, user)
      return user
    })
  })
}

/** Stores what belongs to a new account in the same transaction. */
type StoreWith = (transaction: Db, user: StoredUser) => Promise<void>

/** Whether an account could be created: creates nothing. @throws as `provisionUser` does */
export async function tryProvision(
  deps: AccountDeps,
  account: NewUser,
  origin: Origin,
  { home }: Pick<ScopeOptions, 'home'> = {},
): Promise<void> {
  checkUsername(account.username)
  await openScope(deps, account, origin, { home, tries: true })
}

/** The scope of a new account, whose folder exists then. @throws AppError `exists` when the name or the home is taken */
async function openScope(
  { db, makeHome }: AccountDeps,
  account: NewUser,
  origin: Origin,
  { home, tries = false }: ScopeOptions,
): Promise<string> {
  if (await findUserByName(db, account.username)) throw new AppError('exists')
  const scope = home === undefined ? await chooseScope(db, account, origin) : await ownFolder(db, home)
  const ownHome = home !== undefined || account.scope === ''
  await makeHome(scope, { fresh: origin === 'signup' || (origin === 'provider' && ownHome), tries })
  return scope
}

async function chooseScope(db: Db, { scope, username }: NewUser, origin: Origin): Promise<string> {
  if (scope !== '') return cleanFolder(scope, 'scope')
  const { createUserDir, userHomeBasePath } = await readSettings(db)
  if (origin === 'admin' && !createUserDir) return '/'
  return ownFolder(db, `${userHomeBasePath}/${homeName(username)}`)
}

async function ownFolder(db: Db, folder: string): Promise<string> {
  const home = cleanFolder(folder, 'scope')
  await refuseTaken(db, home)
  return home
}

/** A home is taken when it is a user's scope, or contains one; spellings that may be one folder count as one. */
async function refuseTaken(db: Db, home: string): Promise<void> {
  const folded = foldScope(home)
  const taken = (await listUsers(db)).some(({ scope }) => `${foldScope(scope)}/`.startsWith(`${folded}/`))
  if (taken) throw new AppError('exists')
}

/**
 * The fields of a user whom no administrator created: the defaults, without the right to administrate or to run
 * anything, and without a scope where that would be the whole served root.
 */
export function safeDefaults({ createUserDir, defaults }: Settings): Omit<NewUser, 'username' | 'passwordHash'> {
  const { perm, scope } = defaults
  const ownHome = createUserDir || cleanFolder(scope, 'defaults.scope') === '/'
  return {
    ...BLANK_USER,
    locale: defaults.locale,
    viewMode: defaults.viewMode,
    singleClick: defaults.singleClick,
    redirectAfterCopyMove: defaults.redirectAfterCopyMove,
    sorting: defaults.sorting,
    hideDotfiles: defaults.hideDotfiles,
    dateFormat: defaults.dateFormat,
    aceEditorTheme: defaults.aceEditorTheme,
    scope: ownHome ? '' : scope,
    perm: { ...perm, admin: false, execute: false, share: perm.share && perm.download },
    commands: [],
  }
}

/**
 * Changes a stored user.
 * @throws AppError `not_found`; `exists` when the new name is taken; `forbidden` for the last administrator
 */
export async function changeUser(deps: UserDeps, id: number, changes: Partial<NewUser>): Promise<StoredUser> {
  const { db, cluster } = deps
  return cluster.lock(LOCK, async () => {
    const user = await findUser(db, id)
    if (!user) throw new AppError('not_found')
    const changed = { ...user, ...changes }
    if (changed.scope === '') changed.scope = '/'
    if (changed.username !== user.username) {
      checkUsername(changed.username)
      if (await findUserByName(db, changed.username)) throw new AppError('exists')
    }
    if (!changed.perm.admin) await refuseLastAdmin(db, user)
    await replaceUser(db, id, changed)
    cluster.publish('user.changed', { id })
    return changed
  })
}

/**
 * Deletes a user with their sessions. @returns the deleted user @throws AppError `not_found`; `forbidden` for the last
 * administrator
 */
export async function removeUser({ db, cluster }: UserDeps, id: number): Promise<StoredUser> {
  return cluster.lock(LOCK, async () => {
    const user = await findUser(db, id)
    if (!user) throw new AppError('not_found')
    await refuseLastAdmin(db, user)
    await deleteUser(db, id)
    cluster.publish('user.changed', { id })
    return user
  })
}

/**
 * Closes an account whose directory has ended it; the last administrator stays.
 * @returns whether that changed it
 */
export async function closeUser({ db, cluster }: UserDeps, id: number): Promise<boolean> {
  return cluster.lock(LOCK, async () => {
    const user = await findUser(db, id)
    return user !== undefined && !(await isLastAdmin(db, user)) && setDisabled(db, id, true)
  })
}

/**
 * Disables an account for an administrator, or enables it: until then no user signs in to it, its sessions, API tokens and
 * links are refused, and what it shares is shut. Nothing of it is removed.
 * @throws AppError `not_found`; `forbidden` for the last administrator
 */
export async function disableUser({ db, cluster }: UserDeps, id: number, isDisabled: boolean): Promise<StoredUser> {
  return cluster.lock(LOCK, async () => {
    const user = await findUser(db, id)
    if (!user) throw new AppError('not_found')
    if (isDisabled) await refuseLastAdmin(db, user)
    await setDisabled(db, id, isDisabled, 'admin')
    cluster.publish('user.changed', { id })
    // What it shares with others goes, or comes back.
    cluster.publish('access.changed', {})
    return user
  })
}

/**
 * Takes the home of a user, who then has only mounts and what others share, or gives it back. The folder, and what is in
 * it, stay. @throws AppError `not_found`
 */
export async function setHome(
  { db, cluster, makeHome }: AccountDeps,
  id: number,
  hasHome: boolean,
): Promise<StoredUser> {
  return cluster.lock(LOCK, async () => {
    const user = await findUser(db, id)
    if (!user) throw new AppError('not_found')
    if (hasHome) await makeHome(user.scope, { fresh: false })
    await setHasHome(db, id, hasHome)
    cluster.publish('user.changed', { id })
    // What it shares of its home is shut, or opens again.
    cluster.publish('access.changed', {})
    return user
  })
}

async function refuseLastAdmin(db: Db, user: StoredUser): Promise<void> {
  if (await isLastAdmin(db, user)) throw new AppError('forbidden', "the sole admin can't be deleted")
}

/**
 * Whether no other open account may administrate by a permission of its own. Who can sign in without a provider or a
 * directory is the last one as long as no other administrator can.
 */
async function isLastAdmin(db: Db, user: StoredUser): Promise<boolean> {
  if (!user.perm.admin) return false
  const admins = (await listUsers(db)).filter(({ perm, isDisabled }) => perm.admin && !isDisabled)
  const others = admins.filter(({ id }) => id !== user.id)
  if (others.length === 0) return true
  const local = await thoseWithOwnWay(db, admins)
  return local.has(user.id) && !others.some(({ id }) => local.has(id))
}

/**
 * Demands that a user may lose passkeys: those of the last administrator stay where no password is known here.
 * @param left passkeys that the user keeps
 * @throws AppError `forbidden`
 */
export async function demandOwnWay(db: Db, userId: number, left: number): Promise<void> {
  const user = await findUser(db, userId)
  if (left > 0 || !user || (await hasLocalPassword(db, user))) return
  const isSole = (await thoseWithOwnWay(db, [user])).has(userId) && (await isLastAdmin(db, user))
  if (isSole) throw new AppError('forbidden', 'the last administrator keeps a way in')
}

/** A user as in the API: no hash, no times. */
export function toWire(user: User): User {
  return {
    id: user.id,
    username: user.username,
    password: '',
    scope: user.scope,
    locale: user.locale,
    lockPassword: user.lockPassword,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: user.perm,
    commands: user.commands,
    sorting: user.sorting,
    rules: user.rules,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    aceEditorTheme: user.aceEditorTheme,
  }
}
