import type { IdentitiesTable } from '../../db/identities-schema.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { digestOf } from '../auth/flows.store.ts'
import { readSettings } from '../settings/settings.store.ts'
import { type AccountDeps, provisionUser, safeDefaults } from '../users/accounts.ts'
import { checkUsername } from '../users/names.ts'
import { unknownPassword } from '../users/password.ts'
import { findUser, type StoredUser, setDisabled } from '../users/users.store.ts'
import { findIdentity, type Identity, insertIdentity, noteIdentity } from './identities.store.ts'
import { SignInProblem } from './problem.ts'

/** Whom the host lets a provider or a directory bring. */
export interface NewcomerRules {
  createUsers: boolean
  /** What a newcomer gets whose name another account has: nothing, or a name with a number. */
  onTaken: 'refuse' | 'suffix'
}

/** The highest number behind the name of a newcomer whose own name is taken. */
const MOST_NAMESAKES = 99

/**
 * The account of a user whom a provider identifies: by issuer and subject only, never by a name. A newcomer gets a new
 * account where the provider may create them; concurrent first sign-ins create one.
 * @param name the provider's name of the user, if it sends one
 * @throws SignInProblem `disabled` for a removed account, `no_account`, `name_taken`, `bad_claims`
 */
export async function accountOf(
  deps: AccountDeps,
  settings: NewcomerRules,
  identity: Identity,
  name: string | undefined,
): Promise<StoredUser> {
  const known = await knownAccount(deps, identity, name)
  if (known) return known
  const key = digestOf(JSON.stringify([identity.issuer, identity.subject]))
  return deps.cluster.lock(`identity:${key}`, async () => {
    const meanwhile = await knownAccount(deps, identity, name)
    return meanwhile ?? newcomer(deps, settings, identity, name)
  })
}

async function knownAccount({ db }: AccountDeps, identity: Identity, name = ''): Promise<StoredUser | undefined> {
  const known = await findIdentity(db, identity)
  if (!known) return undefined
  const user = known.user_id === null ? undefined : await findUser(db, known.user_id)
  if (!user) throw new SignInProblem('disabled', `the account of ${identity.subject} was removed`)
  if (user.isDisabled) await reopen(db, user, known)
  await noteIdentity(db, identity, name)
  return { ...user, isDisabled: false }
}

/** Who closed the account may open it: the directory of this identity. */
async function reopen(db: Db, user: StoredUser, { subject, missing_since: missing }: IdentitiesTable): Promise<void> {
  if (missing === null) throw new SignInProblem('disabled', `the account of ${subject} is closed`)
  await setDisabled(db, user.id, false)
}

async function newcomer(
  deps: AccountDeps,
  { createUsers, onTaken }: NewcomerRules,
  identity: Identity,
  name: string | undefined,
): Promise<StoredUser> {
  const { subject } = identity
  if (!createUsers) throw new SignInProblem('no_account', `no account has the identity ${subject}`)
  if (name === undefined) throw new SignInProblem('bad_claims', 'the claim with the name is missing')
  demandName(name)
  const most = onTaken === 'suffix' ? MOST_NAMESAKES : 1
  for (let number = 1; number <= most; number += 1) {
    const user = await createAccount(deps, number === 1 ? name : `${name}-${number}`)
    if (!user) continue
    const now = Date.now()
    await insertIdentity(deps.db, {
      ...identity,
      user_id: user.id,
      username: name,
      created_at: now,
      seen_at: now,
      missing_since: null,
    })
    return user
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

/** @returns nothing when the name or its folder is taken */
async function createAccount(deps: AccountDeps, username: string): Promise<StoredUser | undefined> {
  const account = { ...safeDefaults(await readSettings(deps.db)), lockPassword: true, username }
  try {
    return await provisionUser(deps, { ...account, passwordHash: unknownPassword() }, 'provider')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'exists') return undefined
    if (error.code !== 'bad_request') throw error
    throw new SignInProblem('bad_claims', 'the name of the user cannot be used', { cause: error })
  }
}
