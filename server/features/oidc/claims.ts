import { LIMITS } from '../../limits.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Claims of a user, from the ID token and from UserInfo. */
export type Claims = Readonly<Record<string, unknown>>

/** The longest group that counts, in characters. */
const LONGEST_GROUP = 256

/** The name that a provider has for a user; `undefined` if it sends none. */
export function nameIn(claims: Claims, { usernameClaim }: Pick<ProviderSettings, 'usernameClaim'>): string | undefined {
  const name = claimAt(claims, usernameClaim)
  return typeof name === 'string' ? name.trim() : undefined
}

/** The groups of a user: the values of a claim that is a text or a list of texts. */
export function groupsIn(claims: Claims, { groupsClaim }: Pick<ProviderSettings, 'groupsClaim'>): readonly string[] {
  const found = claimAt(claims, groupsClaim)
  const values: readonly unknown[] = Array.isArray(found) ? found : [found]
  return values
    .slice(0, LIMITS.claimedGroups)
    .filter(value => typeof value === 'string')
    .filter(({ length }) => length <= LONGEST_GROUP)
}

/** A claim by its name, or by a path with dots into objects. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}
