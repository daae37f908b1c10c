import type { FastifyRequest } from 'fastify'
import { BRANDING_IMAGES, BrandingAnswer, BrandingImage, type BrandingImageName } from '../../../shared/api/branding.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { parameterOf, type Route, rawBody, remark, sendStatus } from '../../routing/route.ts'
import { checkImage } from './check-image.ts'
import { type ImageFacts, listImages, removeImage, storeImage } from './images.store.ts'
import { imageName } from './send-image.ts'

export interface BrandingDeps {
  db: Db
  cluster: Cluster
}

const MAX_BYTES: Readonly<Record<BrandingImageName, number>> = {
  logo: LIMITS.brandingLogo,
  icon: LIMITS.brandingLogo,
  picture: LIMITS.brandingPicture,
}

const PATH = `The image: ${BRANDING_IMAGES.map(name => `\`${name}\``).join(', ')}.`

const nameOf = (request: FastifyRequest): BrandingImageName => imageName(parameterOf(request, 'image'))

const wireOf = ({ name, type, size, version }: ImageFacts): BrandingImage => ({ name, type, size, version })

/** The host's own images (http-api 12.1), as administrators upload them. Pages have them from the next load. */
export function brandingRoutes({ db, cluster }: BrandingDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/branding',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'List the uploaded images of this server',
        answers: { 200: { text: 'Those that there are, and how large each may be.', schema: BrandingAnswer } },
      },
      handler: async (): Promise<BrandingAnswer> => ({
        images: (await listImages(db)).map(wireOf),
        limits: MAX_BYTES,
      }),
    },
    {
      method: 'PUT',
      path: '/api/branding/:image',
      access: 'admin',
      token: 'admin',
      records: 'settings.change',
      body: 'raw',
      describes: {
        summary: 'Upload an image of this server',
        path: PATH,
        takes: 'image/*',
        answers: { 200: { text: 'It is shown from now on.', schema: BrandingImage } },
        refuses: [400, 404, 413],
      },
      async handler(request): Promise<BrandingImage> {
        const name = nameOf(request)
        remark(request, { target: `branding.${name}` })
        const image = checkImage(await bytesOf(request, MAX_BYTES[name]))
        if (!image) throw new AppError('bad_request', 'not a PNG, JPEG, WebP or SVG image')
        const stored = await storeImage(db, name, image)
        cluster.publish('settings.changed', {})
        return wireOf(stored)
      },
    },
    {
      method: 'DELETE',
      path: '/api/branding/:image',
      access: 'admin',
      token: 'admin',
      records: 'settings.change',
      describes: {
        summary: 'Remove an uploaded image of this server',
        path: PATH,
        answers: { 204: { text: 'The file of the branding folder, or the built-in one, is shown instead.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const name = nameOf(request)
        remark(request, { target: `branding.${name}` })
        if (!(await removeImage(db, name))) throw new AppError('not_found')
        cluster.publish('settings.changed', {})
        return sendStatus(reply, 204)
      },
    },
  ]
}

/** @throws AppError `body_too_large` */
async function bytesOf(request: FastifyRequest, most: number): Promise<Buffer> {
  const { stream, length } = rawBody(request)
  if (length !== undefined && length > most) throw new AppError('body_too_large')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > most) throw new AppError('body_too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
