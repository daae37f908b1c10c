import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { digestOf } from '../auth/flows.store.ts'
import { readSettings } from '../settings/settings.store.ts'
import { type AccountDeps, changeUser, provisionUser, safeDefaults, tryProvision } from '../users/accounts.ts'
import { checkUsername } from '../users/names.ts'
import { unknownPassword } from '../users/password.ts'
import { findUser, type NewUser, type StoredUser, setDisabled } from '../users/users.store.ts'
import { findIdentity, type Identity, insertIdentity, noteIdentity } from './identities.store.ts'
import { SignInProblem } from './problem.ts'

/** Whom the host lets a provider or a directory bring. */
export interface NewcomerRules {
  createUsers: boolean
  /** What a newcomer gets whose name another account has: nothing, or a name with a number. */
  onTaken: 'refuse' | 'suffix'
  /** Whether an account gets the new name of its user. */
  followNames: boolean
}

/** What a provider or a directory says of a user, as far as it decides about the account. */
export interface Described {
  /** The name of the user, if one was sent. */
  name: string | undefined
  /** The folder of a newcomer with a name, where the host has a template; throws `bad_claims`. */
  homeOf?: ((username: string) => string) | undefined
  /** The existing account of an unknown identity, where the host lets both be joined. */
  joins?: (() => Promise<StoredUser | undefined>) | undefined
}

/** The account of a user. */
export interface FoundAccount {
  user: StoredUser
  /** Its name until now, if it has just followed that of its user. */
  formerName?: string
}

/** The highest number behind the name of a newcomer whose own name is taken. */
const MOST_NAMESAKES = 99
/** The name or its folder is taken. */
const TAKEN = Symbol('taken')
/** Who makes the accounts. */
const BY = 'provider'

/**
 * The account of a user whom a provider identifies: by issuer and subject only, never by a name. A newcomer gets a new
 * account where the provider may create them, or joins one; concurrent first sign-ins create one.
 * @throws SignInProblem `disabled` for a removed account, `no_account`, `name_taken`, `bad_claims`
 */
export async function accountOf(
  deps: AccountDeps,
  settings: NewcomerRules,
  identity: Identity,
  described: Described,
): Promise<FoundAccount> {
  const { name, joins } = described
  const known = await knownAccount(deps, settings, identity, name)
  if (known) return known
  const key = digestOf(JSON.stringify([identity.issuer, identity.subject]))
  return deps.cluster.lock(`identity:${key}`, async () => {
    const meanwhile = await knownAccount(deps, settings, identity, name)
    if (meanwhile) return meanwhile
    const joined = await joins?.()
    if (!joined) return { user: await newcomer(deps, settings, identity, described) }
    await connect(deps.db, identity, joined.id, name)
    return { user: joined }
  })
}

/**
 * The account that a user would get, as `accountOf` decides; changes nothing.
 * @throws SignInProblem as `accountOf` does
 */
export async function foreseenAccount(
  deps: AccountDeps,
  settings: NewcomerRules,
  identity: Identity,
  { name, homeOf, joins }: Described,
): Promise<{ username: string; isNew: boolean }> {
  const known = (await findKnown(deps.db, identity))?.user ?? (await joins?.())
  if (known) return { username: known.username, isNew: false }
  const isFree = (username: string) =>
    unlessTaken(async () => tryProvision(deps, await account(deps.db, username), BY, { home: homeOf?.(username) }))
  const { username } = await firstFree(settings, identity, name, isFree)
  return { username, isNew: true }
}

async function knownAccount(
  deps: AccountDeps,
  { followNames }: NewcomerRules,
  identity: Identity,
  name = '',
): Promise<FoundAccount | undefined> {
  const known = await findKnown(deps.db, identity)
  if (!known) return undefined
  if (known.user.isDisabled && !(await setDisabled(deps.db, known.user.id, false)))
    throw new SignInProblem('disabled', `the account of ${identity.subject} is disabled`)
  await noteIdentity(deps.db, identity, name)
  const user = { ...known.user, isDisabled: false }
  const hasNewName = name !== '' && name !== known.name && user.username === known.name
  const renamed = followNames && hasNewName ? await renameTo(deps, user.id, name) : undefined
  return renamed ? { user: renamed, formerName: user.username } : { user }
}

/** @returns nothing for a name that is taken or cannot be used: the account keeps its own */
async function renameTo(deps: AccountDeps, id: number, username: string): Promise<StoredUser | undefined> {
  return changeUser(deps, id, { username }).catch((error: unknown) => {
    if (error instanceof AppError && (error.code === 'exists' || error.code === 'bad_request')) return undefined
    throw error
  })
}

/**
 * The account of an identity, and the name that the provider had for its user. Of a closed one, who closed it may open
 * it: the directory of this identity.
 */
async function findKnown(db: Db, identity: Identity): Promise<{ user: StoredUser; name: string } | undefined> {
  const known = await findIdentity(db, identity)
  if (!known) return undefined
  const user = known.user_id === null ? undefined : await findUser(db, known.user_id)
  if (!user) throw new SignInProblem('disabled', `the account of ${identity.subject} was removed`)
  const isClosedHere = user.isDisabled && known.missing_since === null
  if (isClosedHere) throw new SignInProblem('disabled', `the account of ${identity.subject} is closed`)
  return { user, name: known.username }
}

async function newcomer(
  deps: AccountDeps,
  settings: NewcomerRules,
  identity: Identity,
  { name, homeOf }: Described,
): Promise<StoredUser> {
  // Without its identity, the account would be a local one of the same name.
  const also = (transaction: Db, { id }: StoredUser) => connect(transaction, identity, id, name)
  const create = (username: string) =>
    unlessTaken(async () =>
      provisionUser(deps, await account(deps.db, username), BY, { home: homeOf?.(username), also }),
    )
  const { taken } = await firstFree(settings, identity, name, create)
  return taken
}

async function connect(db: Db, identity: Identity, userId: number, name = ''): Promise<void> {
  const now = Date.now()
  const times = { created_at: now, seen_at: now, missing_since: null }
  await insertIdentity(db, { ...identity, user_id: userId, username: name, ...times })
}

/**
 * Takes the first name that a newcomer can have.
 * @param take returns `TAKEN` for a name that is not free
 * @throws SignInProblem `no_account`, `bad_claims`, `name_taken`
 */
async function firstFree<T>(
  { createUsers, onTaken }: NewcomerRules,
  { subject }: Identity,
  name: string | undefined,
  take: (username: string) => Promise<T | typeof TAKEN>,
): Promise<{ username: string; taken: T }> {
  if (!createUsers) throw new SignInProblem('no_account', `no account has the identity ${subject}`)
  if (name === undefined) throw new SignInProblem('bad_claims', 'the claim with the name is missing')
  demandName(name)
  const most = onTaken === 'suffix' ? MOST_NAMESAKES : 1
  for (let number = 1; number <= most; number += 1) {
    const username = number === 1 ? name : `${name}-${number}`
    const taken = await take(username)
    if (taken !== TAKEN) return { username, taken }
  }
  throw new SignInProblem('name_taken', `another account has the name ${name} of ${subject}, or its folder`)
}

function demandName(name: string): void {
  try {
    checkUsername(name)
  } catch (error) {
    throw new SignInProblem('bad_claims', 'the name of the user cannot be used', { cause: error })
  }
}

async function account(db: Db, username: string): Promise<NewUser> {
  return { ...safeDefaults(await readSettings(db)), lockPassword: true, username, passwordHash: unknownPassword() }
}

async function unlessTaken<T>(provision: () => Promise<T>): Promise<T | typeof TAKEN> {
  try {
    return await provision()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'exists') return TAKEN
    if (error.code !== 'bad_request') throw error
    throw new SignInProblem('bad_claims', 'the name of the user cannot be used', { cause: error })
  }
}
