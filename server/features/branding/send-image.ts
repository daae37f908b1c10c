import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BRANDING_IMAGES, type BrandingImageName } from '../../../shared/api/branding.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { etagOf } from '../../responses/conditions.ts'
import { STORED_CONTENT_POLICY } from '../../responses/content-headers.ts'
import { sendContent } from '../../responses/send.ts'
import { queryOf } from '../../routing/route.ts'
import { readImage } from './images.store.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/** An uploaded image's name. @throws AppError `not_found` for any other */
export function imageName(name: string): BrandingImageName {
  const known = BRANDING_IMAGES.find(each => each === name)
  if (!known) throw new AppError('not_found')
  return known
}

/**
 * Sends an uploaded image. An address with its version is cached for good; a drawing opened on its own runs no script.
 * @throws AppError `not_found`
 */
export async function sendImage(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const image = await readImage(db, imageName(name))
  if (!image) throw new AppError('not_found')
  const { content, type, size, version, changedAt } = image
  const etag = etagOf(version)
  reply.headers({
    'Content-Type': type,
    'Content-Security-Policy': STORED_CONTENT_POLICY,
    'Cache-Control': queryOf(request, 'v') === version ? FOREVER : 'public, no-cache',
    'Last-Modified': new Date(changedAt).toUTCString(),
    ETag: etag,
  })
  const stream = (range = { start: 0, end: size - 1 }) => Readable.from([content.subarray(range.start, range.end + 1)])
  return sendContent(
    request,
    reply,
    { size, inParts: true, stream, close: async () => undefined },
    { etag, modified: changedAt },
  )
}
