import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { createMetrics, type Measured, type Metrics } from './metrics-registry.ts'

/**
 * Counts the responses of an app, and serves Prometheus on a listener of its own, so that access to the files does not
 * include the metrics. Call before routes are added.
 * @returns what counts sign-ins
 * @throws AppError `unavailable` from the start of the app, when the address cannot be bound
 */
export function serveMetrics(
  app: FastifyInstance,
  { host, port }: NonNullable<Config['metrics']>,
  measured: Measured,
): Metrics['countLogin'] {
  const metrics = createMetrics(app, measured)
  const server = createServer((request, response) => {
    const send = (status: number, text = '') => response.writeHead(status, { 'Content-Type': metrics.type }).end(text)
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
    if (!isAsked) return void send(404)
    metrics.text().then(
      text => send(200, text),
      () => send(500),
    )
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    metrics.count({ method, route: routeOptions.url ?? '', status: statusCode }, elapsedTime / 1000)
  })
  app.addHook('onReady', async () => {
    await listen(server, host, port)
    const { address, port: taken } = server.address() as AddressInfo
    app.log.info({ address, port: taken }, 'metrics are served at /metrics')
  })
  app.addHook('onClose', async () => {
    metrics.close()
    server.close()
    server.closeAllConnections()
  })
  return metrics.countLogin
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = `Metrics cannot be served at ${host}:${port} (${error.code}). Set another address with --metrics.`
      reject(new AppError('unavailable', sentence))
    })
    server.listen(port, host)
  })
}
