import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { SignInProblem } from '../../features/identities/problem.ts'
import { ProviderClient } from '../../features/oidc/provider-client.ts'
import { VERSION } from '../../version.ts'
import { printable } from '../print.ts'

export const USER_AGENT = `Filigree/${VERSION}`

/** The client of a provider that the host names. @throws AppError `not_found` */
export function demandProvider({ providers }: Pick<Config, 'providers'>, slug: string): ProviderClient {
  const settings = providers.find(known => known.slug === slug)
  if (!settings) throw new AppError('not_found', `The configuration names no provider '${printable(slug)}'.`)
  return new ProviderClient(settings, USER_AGENT)
}

/** What a provider says about itself. @throws AppError `unavailable` with the reason */
export async function describedBy(client: ProviderClient) {
  const { config } = await client.discover().catch(explain)
  return config.serverMetadata()
}

/** @throws AppError with a sentence for the console */
export function explain(error: unknown): never {
  if (!(error instanceof SignInProblem)) throw error
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  throw new AppError('unavailable', printable(`The provider cannot be used: ${error.message}${cause}.`))
}

/** Whether two spellings of an issuer mean the same, as the library compares them. */
export const isIssuer = (one: string, other: string): boolean => URL.parse(one)?.href === URL.parse(other)?.href
