import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { deviceOf } from '../features/auth/client-info.ts'
import type { LiveSession, Sessions } from '../features/auth/sessions.ts'
import { credentialsOf } from '../features/dav/credentials.ts'
import type { DavPasswords } from '../features/dav/passwords.ts'
import type { PlainRefusals } from '../features/dav/plain-refusals.ts'
import { membership } from '../lib/networks.ts'
import { type Route, setCaller } from '../routing/route.ts'
import { refuseActiveUse } from './content-origin.ts'
import type { TokenRequests } from './token-requests.ts'

export interface DavGateDeps {
  mode: Config['dav']
  sessions: Sessions
  passwords: DavPasswords
  plainRefusals: PlainRefusals
  running: TokenRequests
}

/** Loopback, private and link-local addresses, to which passwords do not cross the internet. */
const isNear = membership([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
  '::ffff:127.0.0.0/104',
  '::ffff:10.0.0.0/104',
  '::ffff:172.16.0.0/108',
  '::ffff:192.168.0.0/112',
  '::ffff:169.254.0.0/112',
])

/**
 * The access gate of WebDAV (docs/webdav.md): programs sign in with each request. Cookies and `X-Auth` count for
 * nothing here, and Basic credentials count for nothing elsewhere, but for API tokens.
 */
export function davGate({ access, token: needed }: Route, deps: DavGateDeps): onRequestAsyncHookHandler {
  return async (request, reply) => {
    refuseOtherSites(request)
    refuseActiveUse(request)
    if (/[#?]/.test(request.raw.url ?? ''))
      throw new AppError('bad_path', 'an address of WebDAV has no query and no fragment')
    if (access === 'public') return
    if (deps.mode === 'secure' && isInTheOpen(request)) {
      deps.plainRefusals.note(request.ip)
      throw new AppError('forbidden', 'this server takes passwords over HTTPS only')
    }
    const { sessionId, user, token } = await signIn(request, deps)
    setCaller(request, { sessionId, user, way: 'dav', token })
    if (!token) return
    deps.running.add(token.id, reply)
    if (needed === undefined || needed === 'none' || !token.scopes.includes(needed)) throw new AppError('token_scope')
  }
}

async function signIn(request: FastifyRequest, { sessions, passwords }: DavGateDeps): Promise<LiveSession> {
  const credentials = credentialsOf(request.headers.authorization)
  if (credentials?.token === undefined) return passwords.sessionOf(request, credentials)
  return sessions.authenticate({ secret: credentials.token }, deviceOf(request)).catch(thrown => {
    // For programs such as fail2ban (docs/fail2ban.md); its form is stable.
    request.log.warn({ client: request.ip }, `/dav: 401 ${request.ip}`)
    throw thrown
  })
}

/** Browsers say where a request comes from; its credentials may be ones that they remember. @throws AppError `forbidden` */
function refuseOtherSites({ headers, host }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('forbidden')
  const { origin } = headers
  if (origin === undefined || !/^https?:/i.test(origin)) return
  if (URL.parse(origin)?.host !== URL.parse(`http://${host}`)?.host) throw new AppError('forbidden')
}

/** A Unix socket has no address. */
const isInTheOpen = ({ protocol, ip }: FastifyRequest) => protocol !== 'https' && ip !== '' && !isNear(ip)
