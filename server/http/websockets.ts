import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { isOwnOrigin } from '../routing/own-origin.ts'
import { offerSocket } from '../routing/route.ts'
import { logAnswer } from './log.ts'

/** Milliseconds that clients get to close when the server stops. */
const GOODBYE = 2000
/** Close code when the server stops (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001

/** A request that may be upgraded, and its connection. */
interface Upgrade {
  socket: Duplex
  head: Buffer
  response: ServerResponse
}

/** Whether a request asks for a WebSocket (RFC 6455, 4.1). Any other upgrade is ignored, as HTTP allows. */
export function asksForSocket({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Lets routes accept WebSockets. Such a request passes through the same steps as all others — access gate, log,
 * refusals in the wire's form — until a handler accepts it with `acceptSocket`; any other response ends the connection.
 * Pages of other origins are refused first, since browsers send cookies along with them.
 */
export function routeSockets(app: FastifyInstance): void {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  let opened: Promise<WebSocketServer> | undefined
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(request.socket)
    response.once('finish', () => request.socket.destroySoon())
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { socket, head, response })
    app.routing(request, response)
  })
  app.addHook('onRequest', async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) return
    if (!isOwnOrigin(request)) throw new AppError('forbidden')
    if (!isHandshake(request)) return
    offerSocket(request, async () => {
      opened ??= openSockets()
      const accepted = await accept(await opened, request.raw, upgrade)
      if (accepted) logAnswer(request, 101, reply.elapsedTime)
      return accepted
    })
  })
  app.addHook('preClose', async () => {
    if (opened) await sayGoodbye((await opened).clients)
  })
}

/** The library is loaded with the first WebSocket: a host that allows no programs never needs it. */
async function openSockets(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  return new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.socketMessage,
    perMessageDeflate: false,
    handleProtocols: () => false,
  })
}

/** @returns the paused WebSocket, or nothing when the client has disconnected */
function accept(server: WebSocketServer, request: IncomingMessage, { socket, head, response }: Upgrade) {
  return new Promise<WebSocket | undefined>(resolve => {
    if (socket.destroyed) return resolve(undefined)
    socket.once('close', () => resolve(undefined))
    response.detachSocket(request.socket)
    server.handleUpgrade(request, socket, head, accepted => {
      accepted.pause()
      resolve(accepted)
    })
  })
}

/** Checks the rest of the handshake (RFC 6455, 4.2.1). */
function isHandshake({ headers }: FastifyRequest): boolean {
  return headers['sec-websocket-version'] === '13' && /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')
}

async function sayGoodbye(clients: ReadonlySet<WebSocket>): Promise<void> {
  const late = setTimeout(() => {
    for (const client of clients) client.terminate()
  }, GOODBYE)
  await Promise.all(
    [...clients].map(client => {
      client.close(GOING_AWAY)
      return new Promise(resolve => client.once('close', resolve))
    }),
  )
  clearTimeout(late)
}
