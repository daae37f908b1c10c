import type { Db } from '../../db/schema.ts'
import { readAccessSettings } from '../settings/settings.store.ts'
import type { Claims } from './claims.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Methods of RFC 8176 that are more than a password: a code, a device or a part of the body. */
const STRONG: readonly unknown[] = ['mfa', 'otp', 'hwk', 'swk', 'fpt', 'face']
/** Contexts that stand for two factors, or for keys that no other site can use, at every provider. */
const CONTEXTS: readonly unknown[] = [
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/**
 * Whether a provider says that it checked a second factor (`amr`, RFC 8176; `acr`, OpenID Connect Core 2).
 * @param claims of the ID token: they alone are about this sign-in
 */
export function claimsSecondFactor({ amr, acr }: Claims): boolean {
  if (CONTEXTS.includes(acr)) return true
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : []
  // A PIN unlocks a device, which another method names.
  const isPinAndMore = methods.includes('pin') && methods.some(method => method !== 'pin')
  return isPinAndMore || methods.some(method => STRONG.includes(method))
}

/**
 * Whether a sign-in with a provider needs no second factor here: the provider checked one, and administrators take its
 * word for it.
 */
export async function isFactorProven(
  db: Db,
  { provesFactors }: Pick<ProviderSettings, 'provesFactors'>,
  { hasFactor }: { hasFactor: boolean },
): Promise<boolean> {
  if (!provesFactors && !hasFactor) return false
  return (await readAccessSettings(db)).secondFactor.trustProviders
}
