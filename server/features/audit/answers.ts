import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditAction } from '../../../shared/api/audit.ts'
import { deviceName } from '../../../shared/device-name.ts'
import type { EventFacts } from '../../../shared/event-facts.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Audit, AuditEvent } from '../../audit/audit.ts'
import { withToken } from '../../audit/audit.ts'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { factsOf } from '../../files/step-facts.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import { type Caller, findCaller, type Route, recordingOf, remarkOf, target } from '../../routing/route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of a request, for the audit log. */
    route?: Route
  }
}

/** Refusals that are no attempt at a bypass: the object does not exist, or the request is malformed. */
const NOT_AUDITED: ReadonlySet<number> = new Set([400, 401, 404, 405, 409, 412, 413, 415, 416, 422, 460])

/** The most characters of a client in an event. */
const LONGEST_AGENT = 64

export interface AnswerDeps {
  files: Pick<FilesService, 'placeOf'>
  audit: Audit
  changes: RecordedChanges
  /** Counts sign-ins for the metrics. */
  countLogin?: ((event: Pick<AuditEvent, 'way' | 'outcome'>) => void) | undefined
}

/**
 * Records each request that has an effect, right before the response is sent, and each refused one. The response names
 * the change that the request made.
 */
export function recordAnswers(
  app: FastifyInstance,
  { files, audit, changes, countLogin }: AnswerDeps,
  codeHeader: string,
): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const event = await eventOf(files, request, reply, codeHeader)
    if (event?.action === 'login') countLogin?.(event)
    const recording = recordingOf(request)
    if (event) await audit.record(event, recording && changes.along(recording))
    // The operation is done: a database that cannot take its record does not make it fail.
    else if (recording?.isPending)
      await changes.write(recording).catch(err => request.log.error({ err }, 'the history cannot be written for now'))
    if (recording?.change === undefined) return payload
    // A visitor of a link can do nothing with it.
    if (findCaller(request)) reply.header('X-Change', recording.change)
    changes.announce(recording)
    return payload
  })
}

async function eventOf(
  files: AnswerDeps['files'],
  request: FastifyRequest,
  reply: FastifyReply,
  codeHeader: string,
): Promise<AuditEvent | undefined> {
  const { route } = request.routeOptions.config
  const remark = remarkOf(request)
  const action = remark.action ?? route?.records ?? 'nothing'
  const caller = findCaller(request)
  if (!route || action === 'nothing' || (request.method === 'HEAD' && action !== 'upload')) return undefined
  if (!remark.outcome && NOT_AUDITED.has(reply.statusCode)) return undefined
  if (!caller && route.access !== 'public') return undefined
  const path = remark.path ?? (await placeOf(files, caller, () => pathOf(request, route)))
  const goal = await placeOf(files, caller, () => remark.goal)
  return {
    action,
    outcome: remark.outcome ?? outcomeOf(reply, codeHeader),
    way: remark.way ?? caller?.way ?? 'session',
    address: request.ip,
    who: remark.who ?? caller?.user,
    path,
    facts: factsFor(request, action, { facts: remark.facts, places: [path, goal] }),
    target: withToken(remark.target ?? goal, caller?.token?.id),
  }
}

/** What webhooks receive besides the row. */
function factsFor(
  request: FastifyRequest,
  action: AuditAction,
  { facts, places }: { facts: EventFacts | undefined; places: readonly (string | undefined)[] },
): EventFacts | undefined {
  if (action === 'login') return { agent: deviceName(request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT) }
  const steps = recordingOf(request)?.latest ?? []
  return steps.length === 0 ? facts : { ...factsOf(steps, places), ...facts }
}

/** A hook that failed after the operation undid nothing (`hook_failed`). */
function outcomeOf(reply: FastifyReply, codeHeader: string): 'done' | ErrorCode {
  if (reply.statusCode < 400 || reply.statusCode === 424) return 'done'
  return ERROR_CODES.find(code => code === reply.getHeader(codeHeader)) ?? 'internal'
}

/** The path in the URL, where it names a file. */
const pathOf = (request: FastifyRequest, { path, describes }: Route) =>
  path.endsWith('*') && describes.path === undefined ? target(request).path : undefined

/** The place of a caller's path in the served roots; `undefined` for an invalid path, which was refused. */
async function placeOf(
  files: AnswerDeps['files'],
  caller: Caller | undefined,
  find: () => FilePath | undefined,
): Promise<FilePath | undefined> {
  try {
    const path = find()
    return caller && path && (await files.placeOf(caller.user, path))
  } catch {
    return undefined
  }
}
