import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { BRANDING_FILES, brandingSender, type SendBrandingDeps } from '../features/branding/send.ts'
import { sendImage } from '../features/branding/send-image.ts'
import { serveInstallable } from './installable.ts'

const PREFIX = '/static/'
const YEAR = 365 * 24 * 3600
const FOR_A_DAY = 'public, max-age=86400'

/** The built files, and those of the host's branding. */
export async function serveStatic(
  app: FastifyInstance,
  root: string,
  deps: SendBrandingDeps & { config: { baseURL: string } },
): Promise<void> {
  await serveBuilt(app, root)
  serveBranding(app, deps)
  serveInstallable(app, { ...deps, baseURL: deps.config.baseURL })
}

/** Names of built files contain a hash of their content, so they are cached forever; the rest for a day. */
export async function serveBuilt(app: FastifyInstance, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix: PREFIX,
    serve: false,
    dotfiles: 'deny',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      reply.header('Cache-Control', hashed ? `public, max-age=${YEAR}, immutable` : FOR_A_DAY)
    },
  })
  const isBuilt = await builtNames(root)
  app.route({
    method: ['GET', 'HEAD'],
    url: `${PREFIX}*`,
    async handler(request, reply) {
      const name = (request.params as { '*': string })['*']
      return (await isBuilt(name)) ? reply.sendFile(name) : reply.callNotFound()
    },
  })
}

/**
 * Whether a file has exactly that name, also where the disk ignores case. The plugin would list the folder for every
 * request: a page consists of many files, in a folder of thousands. Read again for an unknown name: a running server
 * may have been updated.
 */
async function builtNames(root: string): Promise<(name: string) => Promise<boolean>> {
  let names = await namesBelow(root)
  return async name => {
    if (!names.has(name)) names = await namesBelow(root)
    return names.has(name)
  }
}

async function namesBelow(root: string): Promise<Set<string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return new Set(files.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/')))
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
