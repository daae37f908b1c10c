import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { BRANDING_FILES, brandingSender, type SendBrandingDeps } from '../features/branding/send.ts'
import { sendImage } from '../features/branding/send-image.ts'
import { serveInstallable } from './installable.ts'

const PREFIX = '/static/'
const YEAR = 365 * 24 * 3600
const FOR_A_DAY = 'public, max-age=86400'

/** Names of built files contain a hash of their content, so they are cached forever; the rest for a day. */
export async function serveStatic(
  app: FastifyInstance,
  root: string,
  deps: SendBrandingDeps & { config: { baseURL: string } },
): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix: PREFIX,
    index: false,
    dotfiles: 'deny',
    allowedPath: path => !path.endsWith('/'),
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      reply.header('Cache-Control', hashed ? `public, max-age=${YEAR}, immutable` : FOR_A_DAY)
    },
  })
  serveBranding(app, deps)
  serveInstallable(app, { ...deps, baseURL: deps.config.baseURL })
}

/** Branding files without a built-in counterpart. */
const WITHOUT_DEFAULT = /^custom\.css$|^img\/login\./

/** The host's own files take precedence over the built-in ones. Uploaded images have addresses of their own. */
function serveBranding(app: FastifyInstance, deps: SendBrandingDeps): void {
  const send = brandingSender(deps, FOR_A_DAY)
  for (const name of BRANDING_FILES) {
    app.route({
      method: ['GET', 'HEAD'],
      url: PREFIX + name,
      async handler(request, reply) {
        const sent = await send(request, reply, name)
        if (sent) return sent
        if (WITHOUT_DEFAULT.test(name)) throw new AppError('not_found')
        return reply.sendFile(name)
      },
    })
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: `${PREFIX}branding/:image`,
    handler: (request, reply) => sendImage(deps.db, request, reply, (request.params as { image: string }).image),
  })
}
