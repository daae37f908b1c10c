import { actingUser } from '../groups/acting-user.ts'
import type { Described } from '../identities/account.ts'
import { filledHome } from '../identities/home-template.ts'
import { accountsWithAddress, type Identity, identityOf } from '../identities/identities.store.ts'
import { type Arriving, waitingAccount } from '../identities/waiting.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import { type Claims, claimAt, nameIn } from './claims.ts'
import type { ProviderSettings } from './provider-settings.ts'
import type { OidcDeps } from './providers.ts'

/** The longest mail address that counts, in characters (RFC 5321). */
const LONGEST_ADDRESS = 254

/** What the claims of a user say of the account. */
export function describedBy(
  deps: OidcDeps,
  settings: ProviderSettings,
  { identity, claims }: { identity: Identity; claims: Claims },
): Described {
  const { slug, homeTemplate, linkExisting } = settings
  const homeOf = (username: string) => filledHome(homeTemplate, username, claim => claimAt(claims, claim))
  return {
    name: nameIn(claims, settings),
    homeOf: homeTemplate === '' ? undefined : homeOf,
    joins: async () =>
      (await waitingAccount(deps.db, slug, arriving(settings, claims))) ??
      (linkExisting === 'never' ? undefined : joinable(deps, identity, claims)),
  }
}

/** What the claims of a user say to an account that waits. */
export const arriving = (settings: ProviderSettings, claims: Claims): Arriving => ({
  username: nameIn(claims, settings),
  email: verifiedAddress(claims),
})

/** The mail address of a user, if the provider vouches for it. */
function verifiedAddress({ email, email_verified: isVerified }: Claims): string | undefined {
  const isUsable = typeof email === 'string' && email !== '' && email.length <= LONGEST_ADDRESS
  return isUsable && isVerified === true ? email : undefined
}

/**
 * The only account that confirmed the mail address for which the provider vouches. Accounts of administrators, closed
 * ones, and those with a second factor are joined by their users alone, as the provider would get around these.
 */
async function joinable(deps: OidcDeps, { issuer }: Identity, claims: Claims): Promise<StoredUser | undefined> {
  const email = verifiedAddress(claims)
  if (email === undefined) return
  const [id, ...others] = await accountsWithAddress(deps.db, email)
  const user = id === undefined || others.length > 0 ? undefined : await findUser(deps.db, id)
  if (!user || user.isDisabled) return
  const isGuarded = (await actingUser(deps.db, user)).perm.admin || (await deps.factors.isOn(user.id))
  return isGuarded || (await identityOf(deps.db, user.id, issuer)) ? undefined : user
}
