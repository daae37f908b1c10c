import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, destination } from 'pino'
import { findCaller } from '../routing/route.ts'
import { ERROR_CODE_HEADER } from './errors.ts'
import { loggedUrl } from './log.ts'
import { LogFile } from './log-file.ts'

/** Longest text of a client in a line, in UTF-16 units. */
const LONGEST = 200

/** @param log `stdout` or the path of a file, which is rotated like that of the log */
export const openAccessLog = (log: string): DestinationStream =>
  log === 'stdout' ? destination({ dest: 1, sync: true }) : new LogFile(log)

interface Begin {
  /** Bytes sent on the connection before. */
  sent: number
  /** Milliseconds from the request to the head of its response. */
  ttfb?: number
}

/** Writes a JSON object for each completed request (docs/monitoring.md). JSON escapes whatever would begin another line. */
export function logAccess(app: FastifyInstance, log: DestinationStream): void {
  const begins = new WeakMap<FastifyRequest, Begin>()
  app.addHook('onRequest', async request => {
    begins.set(request, { sent: request.raw.socket.bytesWritten })
  })
  app.addHook('onSend', async (request, reply) => {
    const begin = begins.get(request)
    if (begin) begin.ttfb = reply.elapsedTime
  })
  app.addHook('onResponse', async (request, reply) => {
    log.write(`${JSON.stringify(lineOf(request, reply, begins.get(request)))}\n`)
  })
}

function lineOf(request: FastifyRequest, reply: FastifyReply, begin: Begin | undefined): object {
  const { method, headers, ip, raw } = request
  const caller = findCaller(request)
  const length = Number(headers['content-length'] ?? Number.NaN)
  const isDav = request.routeOptions.url?.includes('/dav') === true
  return {
    time: new Date().toISOString(),
    id: request.id,
    client: ip,
    user: caller?.user.username,
    way: caller?.way,
    method,
    url: loggedUrl(request),
    status: reply.statusCode,
    code: reply.getHeader(ERROR_CODE_HEADER),
    in: Number.isSafeInteger(length) ? length : undefined,
    out: begin === undefined ? undefined : raw.socket.bytesWritten - begin.sent,
    ms: Math.round(reply.elapsedTime),
    ttfb: begin?.ttfb === undefined ? undefined : Math.round(begin.ttfb),
    agent: shortened(headers['user-agent']),
    depth: isDav ? shortened(headers.depth?.toString()) : undefined,
  }
}

const shortened = (text: string | undefined) => text?.slice(0, LONGEST)
