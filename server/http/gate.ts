import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../errors.ts'
import { tokenOf } from '../features/auth/credentials.ts'
import { deviceOf } from '../features/auth/device.ts'
import type { Sessions } from '../features/auth/sessions.ts'
import { type Access, callerOf, type Route, setCaller } from '../route.ts'

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
 * client when its token should be renewed (contract 1.4).
 */
export function accessGate(route: Route, sessions: Sessions, queryToken: boolean): onRequestAsyncHookHandler {
  const check = CHECKS[route.access]
  const query = queryToken && route.queryToken === true
  return async (request, reply) => {
    if (route.access !== 'public') {
      const own = tokenOf(request, { query: false })
      const token = own ?? tokenOf(request, { query })
      if (token === undefined) throw new AppError('unauthorized')
      const { sessionId, user, renew, way } = await sessions.resolve(token, deviceOf(request))
      setCaller(request, { sessionId, user, way: own === undefined ? 'token' : way })
      if (renew) reply.header('X-Renew-Token', 'true')
    }
    check(request)
  }
}
