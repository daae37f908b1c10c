import type { JWTVerifyGetKey } from 'jose'
import type { Configuration } from 'openid-client'
import { isLoopback } from '../../lib/networks.ts'
import { SignInProblem } from '../identities/problem.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** How long the provider's description counts, in milliseconds. */
const FRESH = 3_600_000
/** How long it shows that the provider is there, in milliseconds. */
const ALIVE = 5000
/** How long it still serves where it cannot be read again, in milliseconds. */
const USABLE = FRESH + 24 * 3_600_000
/** The first and the longest wait after a failure, in milliseconds. */
const [FIRST_WAIT, LONGEST_WAIT] = [2000, 60_000]
/** Tolerated difference of the clocks, in seconds. */
const CLOCK_TOLERANCE = 60

/** What is known about a provider. */
export interface Discovered {
  config: Configuration
  /** Keys with which it signs, read when first needed. */
  keys: JWTVerifyGetKey
}

/**
 * The client of one provider. Its description is read when first needed, so that a server starts without it. The
 * libraries are loaded then, too.
 */
export class ProviderClient {
  readonly settings: ProviderSettings
  readonly #userAgent: string
  #known: { found: Discovered; at: number } | undefined
  #attempt: Promise<Discovered> | undefined
  #failures = 0
  #lastFailure: unknown
  #retryAt = 0

  constructor(settings: ProviderSettings, userAgent: string) {
    this.settings = settings
    this.#userAgent = userAgent
  }

  /**
   * What the provider says about itself.
   * @param alive it must have answered a moment ago: a browser is about to go there
   * @throws SignInProblem `away` when the provider cannot be reached, and was not lately
   */
  async discover({ alive = false } = {}): Promise<Discovered> {
    const now = Date.now()
    const known = this.#known && this.#known.at + (alive ? ALIVE : USABLE) > now ? this.#known : undefined
    if (known && known.at + FRESH > now) return known.found
    if (now < this.#retryAt) {
      if (known) return known.found
      const message = `the provider ${this.settings.slug} did not answer a moment ago`
      throw new SignInProblem('away', message, { cause: this.#lastFailure })
    }
    // One attempt at a time.
    this.#attempt ??= this.#read().finally(() => {
      this.#attempt = undefined
    })
    return this.#attempt.catch(thrown => {
      if (known) return known.found
      throw thrown
    })
  }

  async #read(): Promise<Discovered> {
    try {
      const found = await discovered(this.settings, this.#userAgent)
      this.#known = { found, at: Date.now() }
      this.#failures = 0
      return found
    } catch (error) {
      this.#retryAt = Date.now() + Math.min(FIRST_WAIT * 2 ** this.#failures, LONGEST_WAIT)
      this.#failures += 1
      this.#lastFailure = error
      throw unreachable(error)
    }
  }
}

async function discovered(settings: ProviderSettings, userAgent: string): Promise<Discovered> {
  const [client, jose] = await Promise.all([import('openid-client'), import('jose')])
  const issuer = new URL(settings.issuer)
  const fetch = guardedFetch(issuer, userAgent)
  const { clientId, clientSecret, clientAuth } = settings
  const auth = {
    basic: () => client.ClientSecretBasic(clientSecret),
    post: () => client.ClientSecretPost(clientSecret),
    none: () => client.None(),
  }[clientAuth]()
  const config = await client.discovery(issuer, clientId, { [client.clockTolerance]: CLOCK_TOLERANCE }, auth, {
    [client.customFetch]: fetch,
    execute: [
      // Signatures are checked, although the token comes directly from the provider.
      client.enableNonRepudiationChecks,
      ...(isLoopback(issuer) ? [client.allowInsecureRequests] : []),
    ],
  })
  const { jwks_uri } = config.serverMetadata()
  if (jwks_uri === undefined) throw new SignInProblem('internal', 'the provider names no keys')
  const keys = jose.createRemoteJWKSet(new URL(jwks_uri), { cacheMaxAge: FRESH, [jose.customFetch]: fetch })
  return { config, keys }
}

/** The problem behind an error of the libraries. */
export function problemOf(error: unknown): SignInProblem | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof SignInProblem) return cause
  return undefined
}

function unreachable(error: unknown): SignInProblem {
  return (
    problemOf(error) ?? new SignInProblem('away', 'the description of the provider cannot be used', { cause: error })
  )
}
