import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Headers that decide something and must not be repeated: two programs on the way might each use a different one. */
const ONCE = new Set([
  'host',
  'authorization',
  'content-type',
  'x-auth',
  'x-share-password',
  'upload-length',
  'upload-offset',
  'upload-checksum',
  'depth',
  'destination',
  'if',
  'lock-token',
  'overwrite',
  'timeout',
  'x-oc-mtime',
  'oc-checksum',
  'content-md5',
])

/**
 * Refuses any transfer coding but `chunked` alone: programs disagree about lists of codings, and a proxy that finds
 * another end of the body lets a second request through unseen (RFC 9112, 6.1). The connection is closed after the
 * response.
 */
export function refuseOtherCodings(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }, reply) => {
    const codings = valuesOf(rawHeaders, 'transfer-encoding')
    if (codings.length === 0 || (codings.length === 1 && codings[0]?.trim().toLowerCase() === 'chunked')) return
    reply.header('Connection', 'close')
    throw new AppError('bad_request', 'transfer-encoding: must be chunked, and nothing else')
  })
}

const valuesOf = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)

/** Refuses a request that repeats such a header (RFC 9110, 5.3; for `Host` RFC 9112, 3.2). */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const seen = new Set<string>()
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]?.toLowerCase() ?? ''
      if (seen.has(name) && ONCE.has(name)) throw new AppError('bad_request', `${name}: is repeated`)
      seen.add(name)
    }
  })
}
