import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify'
import { AppError } from '../errors.ts'
import { deviceOf } from '../features/auth/client-info.ts'
import { tokenOf } from '../features/auth/credentials.ts'
import type { Sessions } from '../features/auth/sessions.ts'
import { type Access, callerOf, findCaller, type Route, setCaller } from '../routing/route.ts'
import { type ContentOrigin, refuseActiveUse, sendToContentOrigin } from './content-origin.ts'

export interface GateDeps {
  sessions: Sessions
  /** Whether session tokens are accepted in URLs. */
  queryToken: boolean
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
  const check = CHECKS[route.access]
  return async (request, reply) => {
    if (route.stored) refuseActiveUse(request)
    if (content?.isContentRequest(request)) {
      const bearer = await content.bearerOf(request)
      if (bearer !== 'anonymous') setCaller(request, await sessions.find(bearer))
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

/** Milliseconds for which the gate's decision stays valid: most bodies have arrived by then. */
const BELIEVED = 100

/**
 * Repeats the check of the gate when a JSON body took long to arrive: the session may have ended, or the permissions
 * changed. For bodies that are read as streams, `Files` checks.
 */
export function gateBehindBody(route: Route, { sessions }: GateDeps): preHandlerAsyncHookHandler[] {
  if (route.access === 'public' || !route.schema) return []
  const check: preHandlerAsyncHookHandler = async (request, reply) => {
    if (reply.elapsedTime < BELIEVED) return
    const { sessionId, user, way } = callerOf(request)
    const now = await sessions.find({ sessionId, userId: user.id })
    setCaller(request, { sessionId, user: now.user, way })
    CHECKS[route.access](request)
  }
  return [check]
}

/** @throws AppError `unauthorized` */
async function letIn(
  route: Route,
  { sessions, queryToken }: GateDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
): Promise<void> {
  const own = tokenOf(request, { query: false })
  const token = own ?? tokenOf(request, { query: queryToken && route.queryToken === true })
  if (token === undefined) throw new AppError('unauthorized')
  const { sessionId, user, renew, way } = await sessions.resolve(token, deviceOf(request))
  setCaller(request, { sessionId, user, way: own === undefined ? 'token' : way })
  if (renew) reply.header('X-Renew-Token', 'true')
}
