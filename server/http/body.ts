import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/**
 * Bodies of JSON routes: parsed whatever their content type, because clients send JSON as `text/plain`; limited in size
 * and depth; keys that reach prototypes are refused.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: LIMITS.jsonBody }, (request, body, done) => {
    const { misfit, readsBody } = request.routeOptions.config
    if (body === '' || !readsBody) return done(null, undefined)
    const parsed = (error: Error | null, value?: unknown) =>
      error && misfit === 'ignored' ? done(null, undefined) : done(error, value)
    if (depthOf(String(body)) > LIMITS.jsonDepth) return parsed(new AppError('bad_request', 'nested too deeply'))
    return parse(request, String(body), parsed)
  })
}

/**
 * Drops an invalid content type: the route decides what a body is, and an upload with an unusual type must not be
 * refused by the HTTP library (http-api 3.2).
 */
export function acceptContentTypes(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type']
  })
}

/** The start of a media type (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Bodies of raw routes stay unread streams: an uploaded `.json` is never parsed. */
export function acceptRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The deepest nesting of brackets outside strings: a cheap check that refuses a JSON bomb before it is parsed. */
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
