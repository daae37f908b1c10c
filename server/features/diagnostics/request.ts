import type { FastifyRequest } from 'fastify'
import type { Finding } from '../../../shared/api/diagnostics.ts'

const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded']

/** What a request reveals about the proxies it passed. */
export function checkRequest(request: FastifyRequest): Finding[] {
  return [checkProxies(request), checkCookie(request)]
}

/** Unless the proxy is trusted, all clients share one address: a rate limit for one locks out all. */
function checkProxies({ ip, socket, headers }: FastifyRequest): Finding {
  const peer = socket.remoteAddress ?? ''
  if (ip !== peer) return { code: 'cameByProxy', what: ip }
  if (!FORWARDED.some(name => headers[name] !== undefined)) return { code: 'cameStraight', what: peer }
  return { code: 'cameByStranger', what: peer, lines: [`filigree --trustedProxies ${peer.replace('::ffff:', '')}`] }
}

/** The browser requests images and downloads itself, with the cookie as the only credential. */
function checkCookie({ headers }: FastifyRequest): Finding {
  return { code: /(?:^|;\s*)auth=[^;]/.test(headers.cookie ?? '') ? 'cookieSent' : 'cookieLost' }
}
