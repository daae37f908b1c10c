import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeGently } from './drain-bodies.ts'
import { errorBody } from './errors.ts'
import { EVERYWHERE } from './headers.ts'

const STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The running request of each connection, and connections that must not take another one. */
const running = new WeakMap<Socket, FastifyRequest>()
const broken = new WeakSet<Socket>()
/** Connections that were answered while more unparsable bytes arrive. */
const answered = new WeakSet<Socket>()

/** Tracks the running request of each connection, and closes broken connections once their response is sent. */
export function trackConnections(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    running.set(request.raw.socket, request)
  })
  app.addHook('onResponse', async request => {
    const { socket } = request.raw
    running.delete(socket)
    if (broken.has(socket)) socket.destroySoon()
  })
}

/**
 * Responds to bytes that cannot be parsed, and closes: nothing after them on the connection can be trusted. If they
 * follow a request that arrived whole, that request gets its own response first; if they are its body, the body ends in
 * an error and nothing of it is kept.
 */
export function answerClientErrors(error: Error & { code?: string }, socket: Socket): void {
  if (answered.has(socket)) return
  const request = running.get(socket)
  if (request?.raw.complete && socket.writable) {
    broken.add(socket)
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = errorBody(STATUS[error.code ?? ''] ?? 400)
  const headers = {
    ...EVERYWHERE,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`HTTP/1.1 ${body.trimEnd()}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  answered.add(socket)
  closeGently(socket)
  socket.resume()
  socket.destroySoon()
}
