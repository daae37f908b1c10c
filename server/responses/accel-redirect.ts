import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../files/types.ts'

/** Conditions that a proxy cannot look at again: it knows no versions of the files it opens. */
const DEMANDS = ['if-match', 'if-unmodified-since']
/** A range that no server reads otherwise. */
const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/

/** Whether a trusted proxy passed a request on: of anybody else nothing but the own address is known. */
export const cameByProxy = ({ ips = [] }: FastifyRequest): boolean => ips.length > 1

/**
 * Whether the bytes of a file are left to the proxy that a request came through (decision 0067). Only where that one comes
 * to the very answer that was decided here.
 * @param ranges what is to be sent; the whole file without
 */
export function isHandedOver(request: FastifyRequest, ranges: readonly ByteRange[] | undefined): boolean {
  const { method, headers } = request
  if (method !== 'GET' || !cameByProxy(request) || DEMANDS.some(name => headers[name] !== undefined)) return false
  return headers.range === undefined || (ranges?.length === 1 && PLAIN_RANGE.test(headers.range))
}

/** Tells the proxy which file to send. It finds out by itself which bytes of it were asked for. */
export function handOver(reply: FastifyReply, place: string, isPart: boolean): FastifyReply {
  // It says that of whole files in any case, and of parts as it is told.
  if (!isPart) reply.removeHeader('Accept-Ranges')
  return reply.headers({ 'X-Accel-Redirect': place, 'Content-Length': 0 }).send('')
}
