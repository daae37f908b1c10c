import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { publicAddress } from '../../routing/public-address.ts'
import { parameterOf } from '../../routing/route.ts'
import { valueInCookie } from '../auth/cookie.ts'
import { SignInProblem } from '../identities/problem.ts'
import type { Linking } from './linking.ts'
import type { ProviderClient } from './provider-client.ts'
import { type OidcDeps, redirectAddress } from './providers.ts'
import { beginSignIn, newSecret } from './sign-in.ts'

/** Ties a sign-in to the browser that began it. */
const FLOW_COOKIE = 'flg_flow'
const LONGEST_REDIRECT = 2048

type Exchange = readonly [FastifyRequest, FastifyReply]

/**
 * Begins a sign-in in the browser of a request, which gets the cookie for it.
 * @param given the page that follows, and the session of a link or of a trial
 * @returns the address of the provider
 * @throws SignInProblem `away`
 */
export async function leave(
  deps: OidcDeps,
  [request, reply]: Exchange,
  client: ProviderClient,
  given: { redirect: string; linking?: Linking; trial?: Linking },
): Promise<string> {
  const address = publicAddress(request, deps.config)
  const redirectUri = redirectAddress(address, client.settings.slug)
  const cookie = newSecret()
  const location = await beginSignIn(deps, client, { ...given, cookie, redirectUri })
  const secure = address.startsWith('https:') ? '; Secure' : ''
  reply.header('Set-Cookie', `${flowCookie(deps, cookie)}; Max-Age=${LIMITS.loginFlowTime / 1000}${secure}`)
  return location
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
