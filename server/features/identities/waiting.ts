import type { Db } from '../../db/schema.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import { deleteIdentity, findIdentity, type Identity } from './identities.store.ts'
import { SignInProblem } from './problem.ts'

/** By what a user is found again whose provider has given its users other subjects. */
export type FoundBy = 'username' | 'email'

/**
 * The identity of an account that waits for the new subject of its user. No token has such an issuer: theirs are
 * addresses.
 */
export const waitingIdentity = (slug: string, by: FoundBy, value: string): Identity => ({
  issuer: `relink:${slug}`,
  subject: `${by}:${by === 'email' ? value.toLowerCase() : value}`,
})

/** What a provider says of a user who signs in; an address only if it vouches for that. */
export interface Arriving {
  username: string | undefined
  email: string | undefined
}

/** The account that waits for a user. @throws SignInProblem `disabled` if it was removed or is closed */
export async function waitingAccount(db: Db, slug: string, arriving: Arriving): Promise<StoredUser | undefined> {
  for (const by of ['username', 'email'] as const) {
    const value = arriving[by]
    const known = value ? await findIdentity(db, waitingIdentity(slug, by, value)) : undefined
    if (!known) continue
    const user = known.user_id === null ? undefined : await findUser(db, known.user_id)
    if (!user || user.isDisabled) throw new SignInProblem('disabled', `the account that waits for ${value} is closed`)
    return user
  }
  return undefined
}

/** Ends the wait for a user who has come. */
export async function endWaiting(db: Db, slug: string, arriving: Arriving): Promise<void> {
  for (const by of ['username', 'email'] as const) {
    const value = arriving[by]
    if (value) await deleteIdentity(db, waitingIdentity(slug, by, value))
  }
}
