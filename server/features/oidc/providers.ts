import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { AddressConfig } from '../../routing/public-address.ts'
import { type AuthMethods, currentMethod } from '../auth/method.ts'
import type { SecondStepDeps } from '../auth/second-step.ts'
import type { Sessions } from '../auth/sessions.ts'
import { failureOf, type Source } from '../identities/sources.ts'
import type { AccountDeps } from '../users/accounts.ts'
import { ProviderClient } from './provider-client.ts'
import type { ProviderSettings } from './provider-settings.ts'

export interface ProviderDeps {
  db: Db
  authMethods: AuthMethods
  config: OidcConfig
}

export interface OidcConfig extends AddressConfig {
  providers: readonly ProviderSettings[]
}

/** The dependencies of sign-in with a provider. */
export interface OidcDeps extends AccountDeps, SecondStepDeps {
  config: OidcConfig
  sessions: Sessions
  providers: Providers
  endSession(userId: number, sessionId: string): Promise<void>
}

/** Where a provider sends browsers back. @param address of the server */
export const redirectAddress = (address: string, slug: string): string => `${address}/api/oidc/${slug}/callback`

/** A provider in the audit log. */
export const targetOf = ({ settings }: ProviderClient): string => `provider:${settings.slug}`

/** The OpenID providers of the host. */
export class Providers {
  readonly #deps: ProviderDeps
  readonly #clients: ReadonlyMap<string, ProviderClient>

  /** @param userAgent sent to providers */
  constructor(deps: ProviderDeps, userAgent: string) {
    this.#deps = deps
    this.#clients = new Map(
      deps.config.providers.map(settings => [settings.slug, new ProviderClient(settings, userAgent)]),
    )
  }

  /** Those with which users sign in now, for the login page: none where another system authenticates users. */
  async offered(): Promise<{ slug: string; label: string; auto?: true }[]> {
    if (!(await this.#areInUse())) return []
    return this.#deps.config.providers.map(({ slug, label, autoRedirect }) => ({
      slug,
      label,
      ...(autoRedirect && { auto: true }),
    }))
  }

  /** A provider with which users sign in now. @throws AppError `not_found` */
  async demand(slug: string): Promise<ProviderClient> {
    const client = this.#clients.get(slug)
    if (!client || !(await this.#areInUse())) throw new AppError('not_found')
    return client
  }

  /** A provider of the host; `undefined` for one that it no longer names. */
  find(slug: string): ProviderClient | undefined {
    return this.#clients.get(slug)
  }

  sources(): Source[] {
    return [...this.#clients.values()].map(client => {
      const { slug, label, issuer } = client.settings
      const redirect = (address: string) => redirectAddress(address, slug)
      return { kind: 'oidc', slug, label, issuer, ask: () => client.discover({ alive: true }), redirect }
    })
  }

  /** Whether each provider answers now, for administrators. */
  findings(): Promise<Finding[]> {
    return Promise.all(
      this.sources().map(async (source): Promise<Finding> => {
        const { slug, label: what } = source
        const answers = (await failureOf(source)) === undefined
        return answers
          ? { code: 'providerUp', what }
          : { code: 'providerAway', what, lines: [`filigree providers test ${slug}`] }
      }),
    )
  }

  async #areInUse(): Promise<boolean> {
    if (this.#clients.size === 0) return false
    const { method } = await currentMethod(this.#deps.db, this.#deps.authMethods)
    return method.loginPage && method === this.#deps.authMethods.json
  }
}
