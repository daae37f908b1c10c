import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeGently } from './drain-bodies.ts'
import { errorBody } from './errors.ts'
import { EVERYWHERE } from './headers.ts'

const STATUS: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The request that runs on a connection, and connections that must not take another one. */
const running = new WeakMap<Socket, FastifyRequest>()
const broken = new WeakSet<Socket>()
/** Connections that have got their answer, while more of what cannot be parsed arrives. */
const answered = new WeakSet<Socket>()

/** Remembers what runs on which connection, and closes those that turned out broken once their answer is out. */
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
 * Answers what could not be parsed, and closes: nothing after it on the connection can be trusted. When the broken
 * bytes come behind a request that arrived whole, that request gets its own answer first; when they are its body, the
 * body ends in an error and nothing of it is kept.
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
