import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { closeGently } from './drain-bodies.ts'
import { errorBody } from './errors.ts'
import { EVERYWHERE } from './headers.ts'

const expecting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * `Expect: 100-continue` (RFC 9110, 10.1.1): the interim response is sent only when the handler starts to read the
 * body, so that a refused upload is refused before its first byte. A response without it ends the connection, because
 * it is unknown whether the body still follows.
 */
export function continueWhenRead(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expecting.set(request, response)
    request.on('newListener', onListener)
    app.server.emit('request', request, response)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (expecting.has(request.raw)) reply.header('Connection', 'close')
    return payload
  })
}

const READING = new Set<string | symbol>(['data', 'readable'])

function onListener(this: IncomingMessage, event: string | symbol): void {
  if (!READING.has(event)) return
  this.off('newListener', onListener)
  const response = expecting.get(this)
  expecting.delete(this)
  if (response && !response.headersSent) response.writeContinue()
}

/** Responds to an unknown expectation (RFC 9110, 10.1.1), also when the client sends its body all the same. */
export function refuseOtherExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    closeGently(request.socket)
    request.resume()
    const body = errorBody(417)
    response.writeHead(417, {
      ...EVERYWHERE,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    response.end(body)
  })
}
