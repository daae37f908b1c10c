import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderAddress } from '../../../shared/api/oidc.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { publicAddress } from '../../routing/public-address.ts'
import { parameterOf } from '../../routing/route.ts'
import { valueInCookie } from '../auth/cookie.ts'
import { SignInProblem } from '../identities/problem.ts'
import type { Confirming } from './confirming.ts'
import type { Linking } from './linking.ts'
import type { ProviderClient } from './provider-client.ts'
import { type OidcDeps, redirectAddress } from './providers.ts'
import { beginSignIn, newSecret } from './sign-in.ts'

/** Ties a sign-in to the browser that began it. */
const FLOW_COOKIE = 'flg_flow'
const LONGEST_REDIRECT = 2048

type Exchange = readonly [FastifyRequest, FastifyReply]

/** What a browser leaves for. */
interface Given {
  redirect: string
  linking?: Linking
  confirming?: Confirming
  trial?: Linking
}

/**
 * Begins a sign-in in the browser of a request, which gets the cookie for it.
 * @param given the page that follows, and the session of a link, a confirmation or a trial
 * @returns the address of the provider
 * @throws SignInProblem `away`
 */
export async function leave(
  deps: OidcDeps,
  [request, reply]: Exchange,
  client: ProviderClient,
  given: Given,
): Promise<string> {
  const address = publicAddress(request, deps.config)
  const redirectUri = redirectAddress(address, client.settings.slug)
  const cookie = newSecret()
  const location = await beginSignIn(deps, client, { ...given, cookie, redirectUri })
  const secure = address.startsWith('https:') ? '; Secure' : ''
  reply.header('Set-Cookie', `${flowCookie(deps, cookie)}; Max-Age=${LIMITS.loginFlowTime / 1000}${secure}`)
  return location
}

/** The same for a call of the page, which then sends the browser there. @throws AppError `provider_unavailable` */
export async function leaveByCall(
  deps: OidcDeps,
  [request, reply]: Exchange,
  client: ProviderClient,
  given: Given,
): Promise<ProviderAddress> {
  try {
    const location = await leave(deps, [request, reply], client, given)
    reply.header('Cache-Control', 'no-store')
    return { location }
  } catch (error) {
    if (error instanceof SignInProblem && error.problem === 'away')
      throw new AppError('provider_unavailable', error.message, { cause: error, provider: client.settings.label })
    throw error
  }
}

/** Sends the browser to a page with the reason of a failure, which the log has in detail. */
export function sendProblem(
  [request, reply]: Exchange,
  { error, page }: { error: unknown; page: string },
): FastifyReply {
  if (error instanceof AppError && error.code === 'unavailable') throw error
  const provider = parameterOf(request, 'slug')
  const isKnown = error instanceof SignInProblem
  const problem = isKnown ? error.problem : 'internal'
  const facts = { provider, problem, client: request.ip }
  if (isKnown) request.log.warn({ ...facts, reason: error.message }, 'a sign-in with a provider was refused')
  else request.log.error({ ...facts, err: error }, 'a sign-in with a provider failed')
  return reply.redirect(withQuery(page, { problem, provider }), 302)
}

/** The login page, with some of these in its query. */
export function loginPage({ config }: OidcDeps, given: Record<string, string>): string {
  const known = Object.entries(given).filter(([, value]) => value !== '')
  return withQuery(`${config.baseURL}/login`, Object.fromEntries(known))
}

/** A path with more in its query. */
export function withQuery(page: string, more: Record<string, string>): string {
  const query = String(new URLSearchParams(more))
  return query === '' ? page : `${page}${page.includes('?') ? '&' : '?'}${query}`
}

/** A path of this site; `''` for any other address. The page checks it as well. */
export function safeRedirect(redirect: string): string {
  const isPath = /^\/(?![/\\])[^\\\0-\x1f\x7f]*$/.test(redirect)
  return isPath && redirect.length <= LONGEST_REDIRECT ? redirect : ''
}

export const flowCookie = ({ config }: OidcDeps, value: string): string =>
  `${FLOW_COOKIE}=${value}; Path=${config.baseURL}/api/; HttpOnly; SameSite=Lax`

export const cookieOf = ({ headers }: FastifyRequest): string => valueInCookie(headers.cookie, FLOW_COOKIE) ?? ''
