import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify'
import { AppError } from '../errors.ts'
import { deviceOf } from '../features/auth/client-info.ts'
import { type Credential, credentialOf, leaksToken } from '../features/auth/credentials.ts'
import { playTicketOf } from '../features/auth/play-ticket.ts'
import type { LiveSession, Sessions } from '../features/auth/sessions.ts'
import { isTokenLike } from '../features/tokens/secret.ts'
import { type Access, callerOf, findCaller, type Route, setCaller } from '../routing/route.ts'
import { type ContentOrigin, refuseActiveUse, sendToContentOrigin } from './content-origin.ts'
import type { TokenRequests } from './token-requests.ts'

export interface GateDeps {
  sessions: Sessions
  running: TokenRequests
  /** Whether session tokens are accepted in URLs. */
  queryToken: boolean
  /** Signs the tickets of players. */
  ticketKey: Uint8Array
  /** The second origin, for stored content. */
  content: ContentOrigin | undefined
}

/** The check for each kind of access, after which a handler may run. */
const CHECKS: Record<Access, (request: FastifyRequest) => void> = {
  public: () => {},
  user: request => {
    callerOf(request)
  },
  admin: request => {
    if (!callerOf(request).user.perm.admin) throw new AppError('forbidden')
  },
}

/**
 * The access gate of a route: authenticates the caller and refuses before a byte of the body is read. It also notifies
 * the client when its token is due for renewal (http-api 1.4), and redirects to the second origin.
 */
export function accessGate(route: Route, deps: GateDeps): onRequestAsyncHookHandler {
  const { content, sessions } = deps
  const check = checkOf(route)
  return async (request, reply) => {
    if (route.stored) refuseActiveUse(request)
    if (content?.isContentRequest(request)) {
      const bearer = await content.bearerOf(request)
      if (bearer !== 'anonymous') identify(request, reply, await sessions.find(bearer), deps)
      else if (route.access !== 'public') throw new AppError('unauthorized')
      return check(request)
    }
    if (route.access !== 'public') await letIn(route, deps, [request, reply])
    check(request)
    const caller = findCaller(request)
    const bearer = caller && { sessionId: caller.sessionId, userId: caller.user.id }
    if (content && (await sendToContentOrigin(content, route, [request, reply], bearer))) return reply
  }
}

/** The check of a route. A caller's token must have the scope that the route names. */
function checkOf({ access, token: needed }: Route): (request: FastifyRequest) => void {
  return request => {
    const token = findCaller(request)?.token
    if (token && (needed === undefined || needed === 'none' || !token.scopes.includes(needed)))
      throw new AppError('token_scope')
    CHECKS[access](request)
  }
}

/** Milliseconds for which the gate's decision stays valid: most bodies have arrived by then. */
const BELIEVED = 100

/**
 * Repeats the check of the gate when a JSON body took long to arrive: the session may have ended, or the permissions
 * changed. For bodies that are read as streams, `Files` checks.
 */
export function gateBehindBody(route: Route, { sessions }: GateDeps): preHandlerAsyncHookHandler[] {
  if (route.access === 'public' || !route.schema) return []
  const check = checkOf(route)
  const checkAgain: preHandlerAsyncHookHandler = async (request, reply) => {
    if (reply.elapsedTime < BELIEVED) return
    const { sessionId, user, way, token } = callerOf(request)
    const now = await sessions.find({ sessionId, userId: user.id })
    setCaller(request, { sessionId, user: now.user, way, token })
    check(request)
  }
  return [checkAgain]
}

/** @throws AppError `unauthorized` */
async function letIn(route: Route, deps: GateDeps, [request, reply]: [FastifyRequest, FastifyReply]): Promise<void> {
  const { sessions, queryToken, ticketKey } = deps
  if (route.playTicket) {
    const session = await sessions.find(await playTicketOf(ticketKey, request))
    return identify(request, reply, { ...session, way: 'token' }, deps)
  }
  const credential = credentialOf(request, { query: queryToken && route.queryToken === true })
  if (!credential) {
    if (leaksToken(request)) request.log.warn({ client: request.ip }, 'an API token was sent in an address')
    throw new AppError('unauthorized')
  }
  const session = await sessions.authenticate(credential, deviceOf(request)).catch(thrown => {
    logWrongToken(request, credential)
    throw thrown
  })
  identify(request, reply, { ...session, way: credential.inQuery ? 'token' : session.way }, deps)
  if (session.renew) reply.header('X-Renew-Token', 'true')
}

/** A line for programs such as fail2ban (docs/fail2ban.md); its form is stable. */
function logWrongToken(request: FastifyRequest, { secret }: Credential): void {
  if (isTokenLike(secret)) request.log.warn({ client: request.ip }, `/api/token: 401 ${request.ip}`)
}

function identify(request: FastifyRequest, reply: FastifyReply, session: LiveSession, { running }: GateDeps): void {
  const { sessionId, user, way, token } = session
  setCaller(request, { sessionId, user, way, token })
  if (token) running.add(token.id, reply)
}
