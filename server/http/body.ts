import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Route } from '../route.ts'

/**
 * Bodies of JSON routes: parsed whatever their content type says, because clients of the wire send JSON as
 * `text/plain` (contract 20.1); bounded in size and depth; keys that reach prototypes are refused.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: LIMITS.jsonBody }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    if (depthOf(String(body)) > LIMITS.jsonDepth) return done(new AppError('bad_request', 'nested too deeply'))
    return parse(request, String(body), done)
  })
}

/** Bodies of raw routes stay unread streams: a parser must never touch an uploaded `.json`. */
export function acceptRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Checks a JSON body against the route's schema, and hands the handler the checked value. */
export function checkBody(route: Route): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async request => {
    if (!route.schema) return
    const result = route.schema.safeParse(request.body)
    if (!result.success) throw new AppError(route.misfit ?? 'bad_request', firstIssue(result.error.issues))
    request.body = result.data
  }
}

function firstIssue(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  const [first] = issues
  return first ? `${first.path.map(String).join('.') || 'body'}: ${first.message}` : 'invalid body'
}

/** Deepest nesting of brackets outside strings: cheap, and enough to refuse a bomb before it is parsed. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < json.length; index += 1) {
    const char = json[index]
    if (inString) {
      if (char === '\\') index += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth)
    else if (char === '}' || char === ']') depth -= 1
  }
  return deepest
}
