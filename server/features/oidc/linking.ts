import { AppError } from '../../errors.ts'
import { digestOf } from '../auth/flows.store.ts'
import { findIdentity, type Identity, insertIdentity, noteIdentity } from '../identities/identities.store.ts'
import { SignInProblem } from '../identities/problem.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import type { OidcDeps } from './providers.ts'

/** The session in which a user began to connect the account with a provider. */
export interface Linking {
  userId: number
  sessionId: string
}

/**
 * Connects the account of a session with the identity that a provider has just confirmed. An identity of another
 * account stays there, also if that account was removed.
 * @param name the provider's name of the user, if it sends one
 * @throws SignInProblem `mismatch` when the session has ended, `other_account`, `linked_already`
 */
export async function linkedAccount(
  deps: OidcDeps,
  { userId, sessionId }: Linking,
  identity: Identity,
  name = '',
): Promise<StoredUser> {
  const key = digestOf(JSON.stringify([identity.issuer, identity.subject]))
  return deps.cluster.lock(`identity:${key}`, async () => {
    const isLive = await deps.sessions.userOf(userId, sessionId)
    const user = isLive && (await findUser(deps.db, userId))
    if (!user) throw new SignInProblem('mismatch', 'the session that began it has ended')
    const known = await findIdentity(deps.db, identity)
    if (known && known.user_id !== userId)
      throw new SignInProblem('other_account', `${identity.subject} belongs to another account`)
    if (known) await noteIdentity(deps.db, identity, name)
    else await insert(deps, userId, identity, name)
    return user
  })
}

async function insert({ db }: OidcDeps, userId: number, identity: Identity, username: string): Promise<void> {
  const now = Date.now()
  const row = { ...identity, user_id: userId, username, created_at: now, seen_at: now, missing_since: null }
  await insertIdentity(db, row).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'exists') throw error
    throw new SignInProblem('linked_already', 'the account has another identity of this provider', { cause: error })
  })
}
