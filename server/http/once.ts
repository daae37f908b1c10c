import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Headers that decide something and mean nothing twice: two programs on the way might each believe another one. */
const ONCE = new Set([
  'host',
  'authorization',
  'content-type',
  'x-auth',
  'x-share-password',
  'upload-length',
  'upload-offset',
  'upload-checksum',
])

/** Refuses a request in which such a header comes more than once (RFC 9110, 5.3; for `Host` RFC 9112, 3.2). */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const seen = new Set<string>()
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index]?.toLowerCase() ?? ''
      if (seen.has(name) && ONCE.has(name)) throw new AppError('bad_request', `${name}: came more than once`)
      seen.add(name)
    }
  })
}
