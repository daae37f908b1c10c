import type { FastifyRequest } from 'fastify'
import { queryOf } from '../../routing/route.ts'
import { tokenInCookie } from './cookie.ts'

/**
 * The session token of a request (http-api 2.4): header `X-Auth`, else the cookie, else the query where a route allows
 * it. A candidate counts only if it has three parts. The cookie is honoured for reading only, and never for cross-site
 * requests, so that a foreign page cannot act as the user (CSRF).
 */
export function tokenOf(request: FastifyRequest, allow: { query: boolean }): string | undefined {
  const candidates = [
    request.headers['x-auth'],
    isReading(request) && isOwnSite(request) ? tokenInCookie(request.headers.cookie) : undefined,
    allow.query && isReading(request) ? queryOf(request, 'auth') : undefined,
  ]
  return candidates.find((token): token is string => typeof token === 'string' && token.split('.').length === 3)
}

const isReading = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

/** Browsers send `Sec-Fetch-Site`; older browsers and scripts do not. */
function isOwnSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
