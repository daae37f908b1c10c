import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { queryOf } from '../../routing/route.ts'
import { isTokenLike } from '../tokens/secret.ts'
import { tokenInCookie } from './cookie.ts'

/** A secret that authenticates a request, and how it was sent. */
export interface Credential {
  /** A session token, or something that is meant as a personal API token. */
  secret: string
  /** With Basic authentication: the name that must be that of the account. */
  username?: string
  /** In the query, which a log or a referrer may keep. */
  inQuery?: true
}

/**
 * The first credential of a request (http-api 2.4); no further one is tried when it is wrong. In order: the header
 * `X-Auth`, `Authorization` with a personal API token (Bearer, or the password of Basic), the cookie, and the query
 * where a route allows it. Anything else in `Authorization` belongs to a proxy and is ignored. The cookie and the query
 * carry session tokens only. The cookie is honoured for reading only, and never for cross-site requests, so that a
 * foreign page cannot act as the user (CSRF).
 * @throws AppError `forbidden` for a change by another site with Basic credentials, which browsers remember
 */
export function credentialOf(request: FastifyRequest, allow: { query: boolean }): Credential | undefined {
  const inHeader = request.headers['x-auth']
  if (typeof inHeader === 'string' && (isSessionToken(inHeader) || isTokenLike(inHeader))) return { secret: inHeader }
  const authorized = inAuthorization(request)
  if (authorized) return authorized
  const inCookie = isReading(request) && isOwnSite(request) ? tokenInCookie(request.headers.cookie) : undefined
  if (inCookie !== undefined && isSessionToken(inCookie)) return { secret: inCookie }
  const inQuery = isReading(request) && allow.query ? queryOf(request, 'auth') : undefined
  return inQuery !== undefined && isSessionToken(inQuery) ? { secret: inQuery, inQuery: true } : undefined
}

/** Whether the query contains a personal API token, which is never accepted there. */
export const leaksToken = (request: FastifyRequest): boolean => isTokenLike(queryOf(request, 'auth') ?? '')

const isSessionToken = (text: string) => text.split('.').length === 3

function inAuthorization(request: FastifyRequest): Credential | undefined {
  const [, scheme = '', rest = ''] = /^(bearer|basic) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return isTokenLike(rest) ? { secret: rest } : undefined
  const decoded = Buffer.from(rest, 'base64').toString()
  const colon = decoded.indexOf(':')
  const secret = decoded.slice(colon + 1)
  if (colon < 0 || !isTokenLike(secret)) return undefined
  if (!isReading(request) && !isOwnSite(request)) throw new AppError('forbidden')
  return { secret, username: decoded.slice(0, colon) }
}

const isReading = (request: FastifyRequest) => request.method === 'GET' || request.method === 'HEAD'

/** Browsers send `Sec-Fetch-Site`; older browsers and scripts do not. */
function isOwnSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
