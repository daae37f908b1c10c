import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { DavPasswords } from '../features/dav/passwords.ts'
import { davRoutes, routesAbove } from '../features/dav/routes.ts'
import { DAV_METHODS, type Route } from '../routing/route.ts'
import { acceptRaw } from './body.ts'
import { sendDavError } from './dav-errors.ts'
import { davGate } from './dav-gate.ts'
import type { TokenRequests } from './token-requests.ts'

/** Methods of HTTP that WebDAV does not use. */
const OTHERS = ['POST', 'PATCH', 'TRACE']

/**
 * Mounts WebDAV below a base URL: a protocol of its own, with its own gate and errors, which the description of the API
 * leaves out (docs/webdav.md).
 */
export function mountDav(scope: FastifyInstance, context: Context, running: TokenRequests): void {
  const { config, sessions, plainRefusals } = context
  for (const method of DAV_METHODS) scope.addHttpMethod(method, { hasBody: true })
  acceptRaw(scope)
  scope.setErrorHandler(sendDavError)
  const deps = { mode: config.dav, sessions, passwords: new DavPasswords(context), plainRefusals, running }
  const routes = davRoutes(context)
  const add = (route: Route, url: string) =>
    scope.route({
      method: [route.method].flat(),
      url,
      onRequest: davGate(route, deps),
      config: { route },
      handler: route.handler,
    })
  for (const route of routes) for (const url of ['/dav', '/dav/*']) add(route, url)
  for (const route of routesAbove(context)) add(route, '/')
  const allowed = routes.flatMap(({ method }) => method).join(', ')
  const refuse = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('Allow', allowed)
    throw new AppError('method_not_allowed')
  }
  const unused = DAV_METHODS.filter(method => !routes.some(route => [route.method].flat().includes(method as never)))
  for (const url of ['/dav', '/dav/*']) scope.route({ method: [...OTHERS, ...unused], url, handler: refuse })
}
