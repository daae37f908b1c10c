import { createServer } from 'node:https'
import type { FastifyServerFactory } from 'fastify'
import { LIMITS } from '../limits.ts'
import { asksForSocket } from './websockets.ts'

/** Certificate and private key as PEM text. */
export interface TlsMaterial {
  cert: string
  key: string
}

/** An HTTPS server with TLS 1.2 or newer (http-api 19.1), under the same limits as the plain one. */
export function secureServer({ cert, key }: TlsMaterial): FastifyServerFactory {
  return handler => {
    const server = createServer(
      {
        cert,
        key,
        minVersion: 'TLSv1.2',
        maxHeaderSize: LIMITS.headers,
        headersTimeout: LIMITS.headersTimeout,
        connectionsCheckingInterval: LIMITS.headersCheck,
        requestTimeout: 0,
        shouldUpgradeCallback: asksForSocket,
      },
      handler,
    )
    server.setTimeout(LIMITS.idleTimeout)
    server.keepAliveTimeout = LIMITS.idleTimeout
    return server
  }
}
