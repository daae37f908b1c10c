import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { LIMITS } from '../limits.ts'

/** Milliseconds a client gets to read its response before the rest of a huge refused body is cut off. */
const GRACE = 2000

/**
 * Handles the unread body of a refused request: up to `LIMITS.drain` bytes are discarded and the connection stays open;
 * beyond that the response is sent and the connection closed.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.raw.complete && request.raw.readable) {
      if (exceeds(request.headers['content-length'])) reply.header('Connection', 'close')
      closeGently(request.raw.socket)
    }
    return payload
  })
  app.addHook('onResponse', async request => {
    const { raw } = request
    if (raw.complete || raw.destroyed) return
    let left: number = LIMITS.drain
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) raw.socket.destroy()
    })
    const timer = exceeds(request.headers['content-length']) ? setTimeout(() => raw.socket.destroy(), GRACE) : undefined
    raw.once('close', () => clearTimeout(timer))
    raw.resume()
  })
}

/**
 * The runtime destroys a connection right after its last response. Bytes that arrive later are answered with a reset,
 * which discards the response at a client that is still sending: so only our side is closed at first.
 */
export function closeGently(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), GRACE)
    socket.once('close', () => clearTimeout(timer))
  }
}

const exceeds = (length: string | undefined) => length !== undefined && Number(length) > LIMITS.drain
