import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../errors.ts'
import { tokenOf } from '../features/auth/credentials.ts'
import { deviceOf } from '../features/auth/device.ts'
import type { Sessions } from '../features/auth/sessions.ts'
import { type Access, callerOf, findCaller, type Route, setCaller } from '../route.ts'
import { type ContentOrigin, refuseActiveUse, sendToContentOrigin } from './content-origin.ts'

export interface GateDeps {
  sessions: Sessions
  /** Whether session tokens are taken from addresses. */
  queryToken: boolean
  /** Where stored content is opened, if not here. */
  content: ContentOrigin | undefined
}

/** What the gate does for each kind of access, after which a handler may run. */
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
 * The access gate of one route: finds out who calls and refuses before a byte of the body is read. Also tells the
 * client when its token should be renewed (contract 1.4), and sends on what another origin is for.
 */
export function accessGate(route: Route, deps: GateDeps): onRequestAsyncHookHandler {
  const { content, sessions } = deps
  const check = CHECKS[route.access]
  return async (request, reply) => {
    if (route.stored) refuseActiveUse(request)
    if (content?.isMeant(request)) {
      const bearer = await content.bearerOf(request)
      if (bearer !== 'anybody') setCaller(request, await sessions.find(bearer))
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
