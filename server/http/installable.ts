import type { FastifyInstance } from 'fastify'
import { appearanceOf } from '../features/branding/appearance.ts'
import type { SendBrandingDeps } from '../features/branding/send.ts'
import { type WebManifestOptions, webManifest } from '../features/branding/web-manifest.ts'
import { readSettings } from '../features/settings/settings.store.ts'

/** A service worker inherits no policy of a page: it fetches from this origin, and runs nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

/** What makes the page installable: its manifest, its service worker, and the target of shares of other apps. */
export function serveInstallable(
  app: FastifyInstance,
  { db, branding, baseURL }: SendBrandingDeps & Pick<WebManifestOptions, 'baseURL'>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/manifest.webmanifest',
    async handler(_request, reply) {
      const settings = await readSettings(db)
      const appearance = await appearanceOf(settings.branding, { db, branding })
      const manifest = webManifest({ baseURL, branding: settings.branding, appearance })
      return reply
        .headers({ 'Cache-Control': 'no-cache' })
        .type('application/manifest+json')
        .send(JSON.stringify(manifest))
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sw.js',
    handler: (_request, reply) =>
      reply.headers({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': WORKER_POLICY }).sendFile('sw.js'),
  })
  // The service worker answers this request. Without one the page says that the user must share again.
  app.route({
    method: 'POST',
    url: '/share-target',
    handler: (_request, reply) => reply.redirect(`${baseURL}/files/?received=again`, 303),
  })
}
