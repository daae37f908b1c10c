import type { FastifyRequest } from 'fastify'
import type { Finding } from '../../../shared/api/diagnostics.ts'

const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded']

/** What a request tells of the way it came. */
export function lookAtRequest(request: FastifyRequest): Finding[] {
  return [lookAtProxies(request), lookAtCookie(request)]
}

/** Without trust in its proxy, a server takes all people for one: who guesses passwords then keeps everybody out. */
function lookAtProxies({ ip, socket, headers }: FastifyRequest): Finding {
  const peer = socket.remoteAddress ?? ''
  if (ip !== peer) return { code: 'cameByProxy', what: ip }
  if (!FORWARDED.some(name => headers[name] !== undefined)) return { code: 'cameStraight', what: peer }
  return { code: 'cameByStranger', what: peer, lines: [`filigree --trustedProxies ${peer.replace('::ffff:', '')}`] }
}

/** Pictures and downloads are asked for by the browser itself, which has nothing but the cookie. */
function lookAtCookie({ headers }: FastifyRequest): Finding {
  return { code: /(?:^|;\s*)auth=[^;]/.test(headers.cookie ?? '') ? 'cookieSent' : 'cookieLost' }
}
