import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { type AnswerDeps, recordAnswers } from '../features/audit/answers.ts'
import { LIMITS } from '../limits.ts'
import { ACCESS, declaresAuditAction, declaresTokenScope, type Route } from '../routing/route.ts'
import { logAccess, openAccessLog } from './access-log.ts'
import { parseQuery, routableBelow, routableUrl, setClientAddress, setClientOrigin } from './address.ts'
import { acceptContentTypes, acceptJson, acceptRaw } from './body.ts'
import { answerClientErrors, trackConnections } from './client-errors.ts'
import { confineContentOrigin, contentOrigin } from './content-origin.ts'
import { mountDav } from './dav.ts'
import { drainRefusedBodies } from './drain-bodies.ts'
import { refuseOtherCodings, refuseRepeatedHeaders } from './duplicate-headers.ts'
import { ERROR_CODE_HEADER, sendError } from './errors.ts'
import { continueWhenRead, refuseOtherExpectations } from './expect-continue.ts'
import { accessGate, type GateDeps, gateBehindBody } from './gate.ts'
import { addHeaders, EVERYWHERE } from './headers.ts'
import { refuseOtherHosts } from './hosts.ts'
import { logRequests } from './log.ts'
import { urlsOf } from './methods.ts'
import { listRoutes } from './routes.ts'
import { waitForSlowClients } from './slow-clients.ts'
import { servePages } from './static-files.ts'
import { secureServer, type TlsMaterial } from './tls.ts'
import { TokenRequests } from './token-requests.ts'
import { bodyCheck } from './validation.ts'
import { asksForSocket, routeSockets } from './websockets.ts'
import { mountWopi } from './wopi.ts'

/**
 * The HTTP application of a context. The caller listens.
 * @param tls certificates for HTTPS
 */
export async function buildApp(
  context: Context,
  logger: FastifyBaseLogger,
  tls?: TlsMaterial,
): Promise<FastifyInstance> {
  const { baseURL, metrics, prefixStripped, roles, trustedProxies } = context.config
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.jsonBody,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    connectionTimeout: LIMITS.idleTimeout,
    requestTimeout: 0,
    // A slow machine takes more than the ten seconds that Fastify allows for the routes.
    pluginTimeout: 0,
    genReqId: () => randomUUID().slice(0, 8),
    http: {
      maxHeaderSize: LIMITS.headers,
      headersTimeout: LIMITS.headersTimeout,
      connectionsCheckingInterval: LIMITS.headersCheck,
      shouldUpgradeCallback: asksForSocket,
    },
    rewriteUrl: prefixStripped ? routableBelow(baseURL) : routableUrl,
    routerOptions: {
      querystringParser: parseQuery,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      maxParamLength: LIMITS.headers,
    },
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply.headers(EVERYWHERE)),
    clientErrorHandler: answerClientErrors,
    return503OnClosing: true,
    ...(tls ? { serverFactory: secureServer(tls) } : {}),
  })
  app.server.maxConnections = LIMITS.connections
  setClientAddress(app)
  setClientOrigin(app)
  trackConnections(app)
  waitForSlowClients(app)
  continueWhenRead(app)
  refuseOtherExpectations(app)
  addHeaders(app)
  logRequests(app)
  if (context.config.accessLog !== '') logAccess(app, openAccessLog(context.config.accessLog))
  let countLogin: AnswerDeps['countLogin']
  if (metrics) {
    // Imported on demand: most servers never need the memory.
    const { serveMetrics } = await import('./metrics.ts')
    const { integrity, db, providers, directories } = context
    countLogin = serveMetrics(app, metrics, {
      integrity,
      db,
      sources: [...providers.sources(), ...directories.sources()],
    })
  }
  refuseOtherCodings(app)
  refuseRepeatedHeaders(app)
  refuseOtherHosts(app, context.config)
  routeSockets(app)
  drainRefusedBodies(app)
  recordAnswers(app, { ...context, countLogin }, ERROR_CODE_HEADER)
  acceptContentTypes(app)
  app.setErrorHandler(sendError)
  const content = contentOrigin(context.config, context.ticketKey)
  if (content) confineContentOrigin(app, content)
  if (baseURL !== '' || roles === 'worker')
    app.setNotFoundHandler(async () => Promise.reject(new AppError('not_found')))
  const routes = listRoutes(context)
  const { cluster, sessions, ticketKey } = context
  const running = new TokenRequests(cluster)
  const gate = { sessions, running, queryToken: context.config.queryToken, ticketKey, content }
  const hasDav = context.config.dav !== 'off' && roles !== 'worker'
  const office = roles === 'worker' ? undefined : context.office
  await app.register(
    async base => {
      await base.register(async scope => mount(scope, 'json', routes, gate))
      await base.register(async scope => mount(scope, 'raw', routes, gate))
      if (hasDav) await base.register(async scope => mountDav(scope, context, running))
      if (office) await base.register(async scope => mountWopi(scope, context, office, running))
      if (roles !== 'worker') await servePages(base, context)
    },
    { prefix: baseURL },
  )
  return app
}

function mount(scope: FastifyInstance, body: 'json' | 'raw', routes: readonly Route[], gate: GateDeps) {
  if (body === 'raw') acceptRaw(scope)
  else acceptJson(scope)
  for (const route of routes) {
    if ((route.body ?? 'json') === body) addRoute(scope, route, urlsOf(route, routes), gate)
  }
}

/** @throws Error for a route that does not declare its access, token scope or audit action: the server must not start */
function addRoute(scope: FastifyInstance, route: Route, urls: readonly string[], gate: GateDeps): void {
  if (!ACCESS.includes(route.access)) throw new Error(`The route ${route.path} does not declare its access.`)
  if (!declaresTokenScope(route)) throw new Error(`The route ${route.path} does not declare its token scope.`)
  if (!declaresAuditAction(route)) throw new Error(`The route ${route.path} does not declare its audit action.`)
  const how = {
    method: typeof route.method === 'string' ? [route.method] : [...route.method],
    onRequest: accessGate(route, gate),
    preHandler: [...gateBehindBody(route, gate), ...bodyCheck(route)],
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    config: { misfit: route.misfit, readsBody: route.schema !== undefined, route },
    handler: route.handler,
  }
  for (const url of urls) scope.route({ ...how, url })
}
