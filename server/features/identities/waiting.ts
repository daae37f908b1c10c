import type { Db } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'
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
  for (const { identity, value } of waitedFor(slug, arriving)) {
    const known = await findIdentity(db, identity)
    if (!known) continue
    const user = known.user_id === null ? undefined : await findUser(db, known.user_id)
    if (!user || user.isDisabled) throw new SignInProblem('disabled', `the account that waits for ${value} is closed`)
    return user
  }
  return undefined
}

/** Ends the wait for a user who has come. */
export async function endWaiting(db: Db, slug: string, arriving: Arriving): Promise<void> {
  for (const { identity } of waitedFor(slug, arriving)) await deleteIdentity(db, identity)
}

/** The identities that could wait for a user; none for a text that no database takes. */
function waitedFor(slug: string, arriving: Arriving): { identity: Identity; value: string }[] {
  return (['username', 'email'] as const).flatMap(by => {
    const value = arriving[by]
    return value && value === storable(value) ? [{ identity: waitingIdentity(slug, by, value), value }] : []
  })
}
