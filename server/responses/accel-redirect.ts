import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../files/types.ts'

/** Conditions that a proxy cannot evaluate: it does not know the versions of the files it opens. */
const DEMANDS = ['if-match', 'if-unmodified-since']
/** A range that every server reads the same way. */
const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/** Whether a trusted proxy passed a request on: of any other peer only its own address is known. */
export const cameByProxy = ({ ips = [] }: FastifyRequest): boolean => ips.length > 1

/**
 * Whether the bytes of a file are sent by the proxy that the request came through (docs/design/scaling.md): only where it
 * produces the exact response that was decided here.
 * @param ranges what is to be sent; the whole file without
 */
export function isHandedOver(request: FastifyRequest, ranges: readonly ByteRange[] | undefined): boolean {
  const { method, headers } = request
  if (method !== 'GET' || !cameByProxy(request) || DEMANDS.some(name => headers[name] !== undefined)) return false
  return headers.range === undefined || (ranges?.length === 1 && PLAIN_RANGE.test(headers.range))
}

/** Names the file that the proxy is to send. The proxy evaluates the requested ranges. */
export function handOver(reply: FastifyReply, place: string, isPart: boolean): FastifyReply {
  // It sets this for whole files in any case, and for parts as this header says.
  if (!isPart) reply.removeHeader('Accept-Ranges')
  return reply.headers({ 'X-Accel-Redirect': place, 'Content-Length': 0 }).send('')
}
