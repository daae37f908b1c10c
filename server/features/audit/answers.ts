import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import type { Audit, AuditEvent } from '../../audit/audit.ts'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import { scopeFolder } from '../../files/scope.ts'
import { type Caller, findCaller, type Route, remarkOf, target } from '../../routing/route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route behind a call, for the audit log. */
    route?: Route
  }
}

/** Refusals that nobody meant to get round anything with: the thing is not there, or the request made no sense. */
const INNOCENT: ReadonlySet<number> = new Set([400, 401, 404, 405, 409, 412, 413, 415, 416, 422, 460])

/** Writes each call down that has an effect, right before it is answered, and whoever was refused one. */
export function recordAnswers(app: FastifyInstance, audit: Audit, codeHeader: string): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const event = eventOf(request, reply, codeHeader)
    if (event) await audit.record(event)
    return payload
  })
}

function eventOf(request: FastifyRequest, reply: FastifyReply, codeHeader: string): AuditEvent | undefined {
  const { route } = request.routeOptions.config
  const told = remarkOf(request)
  const action = told.action ?? route?.records ?? 'nothing'
  const caller = findCaller(request)
  if (!route || action === 'nothing' || (request.method === 'HEAD' && action !== 'upload')) return undefined
  if (!told.outcome && INNOCENT.has(reply.statusCode)) return undefined
  if (!caller && route.access !== 'public') return undefined
  return {
    action,
    outcome: told.outcome ?? outcomeOf(reply, codeHeader),
    way: told.way ?? caller?.way ?? 'session',
    address: request.ip,
    who: told.who ?? caller?.user,
    path: told.path ?? placeOf(caller, () => pathOf(request, route)),
    target: told.target ?? placeOf(caller, () => told.goal),
  }
}

/** A program that failed after a deed undid nothing (`hook_failed`). */
function outcomeOf(reply: FastifyReply, codeHeader: string): 'done' | ErrorCode {
  if (reply.statusCode < 400 || reply.statusCode === 424) return 'done'
  return ERROR_CODES.find(code => code === reply.getHeader(codeHeader)) ?? 'internal'
}

/** What the address names, where it names a file. */
const pathOf = (request: FastifyRequest, { path, describes }: Route) =>
  path.endsWith('*') && describes.path === undefined ? target(request).path : undefined

/** Where a path of the caller is in the served root; nothing for what is no path, which was refused. */
function placeOf(caller: Caller | undefined, find: () => FilePath | undefined): FilePath | undefined {
  try {
    const path = find()
    return caller && path && joinPath(scopeFolder(caller.user.scope), path)
  } catch {
    return undefined
  }
}
