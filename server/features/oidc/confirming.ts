import { type Identity, identityOf } from '../identities/identities.store.ts'
import { SignInProblem } from '../identities/problem.ts'
import type { Linking } from './linking.ts'
import type { OidcDeps } from './providers.ts'

/** How far the clock of a provider may be behind, in milliseconds. */
const TOLERANCE = 60_000

/** The session in which a user began to confirm with a provider. */
export interface Confirming extends Linking {
  begunAt: number
}

/**
 * Demands that the user of a session has just signed in again at the provider, under the identity with which the account
 * is connected. A provider that ignores `prompt=login` would vouch for any user of the browser.
 * @param authTime `auth_time` of the ID token (OpenID Connect Core 2)
 * @throws SignInProblem `mismatch` when the session has ended, `other_account`, `not_asked`
 */
export async function demandAnew(
  deps: OidcDeps,
  { userId, sessionId, begunAt }: Confirming,
  { issuer, subject }: Identity,
  authTime: unknown,
): Promise<void> {
  if (!(await deps.sessions.userOf(userId, sessionId)))
    throw new SignInProblem('mismatch', 'the session that began it has ended')
  if ((await identityOf(deps.db, userId, issuer))?.subject !== subject)
    throw new SignInProblem('other_account', `${subject} is not the user of the account`)
  if (typeof authTime !== 'number' || authTime * 1000 < begunAt - TOLERANCE)
    throw new SignInProblem('not_asked', `auth_time is ${JSON.stringify(authTime)}: the user was not asked again`)
}
