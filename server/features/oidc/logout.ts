import type { FastifyRequest } from 'fastify'
import type { JWTPayload } from 'jose'
import { AppError } from '../../errors.ts'
import { publicAddress } from '../../routing/public-address.ts'
import { findIdentity, noteLogoutToken } from '../identities/identities.store.ts'
import { SignInProblem } from '../identities/problem.ts'
import type { ProviderClient } from './provider-client.ts'
import type { OidcDeps } from './providers.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Media types of a logout token; older providers send `JWT`. */
const TYPES: readonly unknown[] = [undefined, 'logout+jwt', 'application/logout+jwt', 'JWT']
/** The oldest logout token, and the tolerated difference of the clocks, in seconds. */
const [OLDEST, CLOCK_TOLERANCE] = [300, 60]
/** How long a used logout token is remembered beyond its end, in milliseconds. */
const REMEMBERED = 10 * 60_000
const LONGEST_ID = 255
/** What the provider's answer lacks when its keys cannot be read. */
const UNREADABLE_KEYS: readonly unknown[] = ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']

/**
 * Where a browser signs out of the provider of a session (OpenID Connect RP-Initiated Logout 1.0).
 * @returns `undefined` where there is none, or it does not answer
 */
export async function providerLogout(
  { sessions, providers, config }: Pick<OidcDeps, 'sessions' | 'providers' | 'config'>,
  request: FastifyRequest,
  sessionId: string,
): Promise<string | undefined> {
  if (config.providers.length === 0) return undefined
  try {
    const from = await sessions.providerOf(sessionId)
    const client = from && providers.find(from.provider)
    if (!from || !client?.settings.rpLogout) return undefined
    const { config: known } = await client.discover()
    if (known.serverMetadata().end_session_endpoint === undefined) return undefined
    const { buildEndSessionUrl } = await import('openid-client')
    const idToken = await from.idToken().catch((error: unknown) => {
      request.log.warn({ err: error }, 'the sign-out at the provider has no ID token')
      return ''
    })
    return buildEndSessionUrl(known, {
      post_logout_redirect_uri: `${publicAddress(request, config)}/login?loggedout`,
      ...(idToken === '' ? {} : { id_token_hint: idToken }),
    }).href
  } catch (error) {
    request.log.warn({ reason: error instanceof Error ? error.message : '' }, 'no sign-out at the provider')
    return undefined
  }
}

/**
 * Ends the sessions that a logout token means (OpenID Connect Back-Channel Logout 1.0): those of one session of the
 * provider, or all that began there for one user.
 * @returns the users whose sessions ended
 * @throws AppError `bad_request` for a wrong or used token, `unavailable` when the provider's keys cannot be read
 */
export async function endFromProvider(deps: OidcDeps, client: ProviderClient, token: string): Promise<number[]> {
  const { iss: issuer = '', sub, sid, jti = '', exp = 0 } = await verified(client, token)
  const until = Math.max(exp * 1000, Date.now()) + REMEMBERED
  if (!(await noteLogoutToken(deps.db, issuer, jti, until))) throw new AppError('bad_request', 'the token was used')
  const which: { sid?: string; userId?: number } = {}
  if (typeof sid === 'string') which.sid = sid
  if (sub !== undefined) {
    const identity = await findIdentity(deps.db, { issuer, subject: sub })
    if (!identity || identity.user_id === null) return []
    which.userId = identity.user_id
  }
  const ended = await deps.sessions.fromProvider(client.settings.slug, which)
  for (const { id, user_id } of ended) await deps.endSession(user_id, id)
  return ended.map(({ user_id }) => user_id)
}

async function verified(client: ProviderClient, token: string): Promise<JWTPayload> {
  const { config, keys } = await client.discover().catch(away)
  const { jwtVerify } = await import('jose')
  const { issuer, id_token_signing_alg_values_supported: supported = [] } = config.serverMetadata()
  const algorithms = supported.filter(name => /^(?:RS|PS|ES)\d{3}$|^Ed/.test(name))
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: client.settings.clientId,
    algorithms: algorithms.length > 0 ? algorithms : ['RS256'],
    clockTolerance: CLOCK_TOLERANCE,
    maxTokenAge: OLDEST,
    requiredClaims: ['jti', 'events'],
  }).catch(away)
  if (!TYPES.includes(protectedHeader.typ)) throw new AppError('bad_request', 'the token is of another type')
  demandLogout(payload)
  return payload
}

function demandLogout({ events, nonce, sub, sid, jti }: JWTPayload): void {
  const isEvent = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  const ids = [sub, sid, jti].filter(id => id !== undefined)
  const areIds = ids.every(id => typeof id === 'string' && id !== '' && id.length <= LONGEST_ID)
  const names = sub !== undefined || sid !== undefined
  if (!isEvent || nonce !== undefined || !areIds || !names) throw new AppError('bad_request', 'it is no logout token')
}

function away(error: unknown): never {
  const { code } = error as { code?: unknown }
  if (error instanceof SignInProblem || UNREADABLE_KEYS.includes(code)) {
    throw new AppError('unavailable', 'the provider does not answer', { cause: error })
  }
  throw new AppError('bad_request', 'the token is not valid', { cause: error })
}
