import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { issueTicket, verifyTicket } from '../features/auth/ticket.ts'
import type { TokenClaims } from '../features/auth/token.ts'
import { queryOf, type Route, remark } from '../routing/route.ts'

/** Destinations (Fetch Metadata) at which a browser makes a document of a response. */
const DOCUMENTS: ReadonlySet<string> = new Set(['document', 'iframe', 'frame', 'embed', 'object', 'fencedframe'])
/** Destinations at which a response would run in the requesting page, or style it. */
const ACTIVE: ReadonlySet<unknown> = new Set([
  'script',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
  'style',
  'xslt',
  'manifest',
])
/** Last part of a URL, covered by its ticket. */
const TICKET = '&ticket='

/** The session behind a request for content that needs one. */
export type ContentBearer = Pick<TokenClaims, 'sessionId' | 'userId'>

/** Isolates stored content from the origin of the interface (docs/design/auth.md). */
export interface ContentOrigin {
  /** Whether a request came by the second origin, where sessions do not count. */
  isContentRequest(request: FastifyRequest): boolean
  /** The bearer of such a request's ticket; public content has none. @throws AppError `unauthorized` */
  bearerOf(request: FastifyRequest): Promise<ContentBearer | 'anonymous'>
  /** The redirect target of a request whose response would become a document here. */
  addressFor(request: FastifyRequest, route: Route, bearer?: ContentBearer): Promise<string | undefined>
}

/** The second origin, on a host with one. @param key signs its tickets */
export function contentOrigin(config: Pick<Config, 'contentOrigin'>, key: Uint8Array): ContentOrigin | undefined {
  const { contentOrigin: origin } = config
  if (origin === '') return undefined
  const { protocol, host } = new URL(origin)
  const isContentRequest = (request: FastifyRequest) => URL.parse(`${protocol}//${request.host}`)?.host === host
  return {
    isContentRequest,
    async bearerOf(request) {
      const [address = '', ticket = '', ...more] = (request.raw.url ?? '').split(TICKET)
      const claims =
        more.length === 0 ? await verifyTicket({ key, use: 'content', subject: address }, ticket) : undefined
      if (!claims) throw new AppError('unauthorized')
      const { sid, uid } = claims
      return typeof sid === 'string' && typeof uid === 'number' ? { sessionId: sid, userId: uid } : 'anonymous'
    },
    async addressFor(request, route, bearer) {
      if (!route.stored || queryOf(request, 'inline') !== 'true' || !becomesDocument(request)) return undefined
      if (queryOf(request, 'ticket') !== undefined) {
        throw new AppError(
          'bad_request',
          'the content origin is not recognized by its host name: the proxy must pass on the header Host',
        )
      }
      const address = withoutToken(request.raw.url ?? '')
      const claims = bearer && { sid: bearer.sessionId, uid: bearer.userId }
      return `${origin}${address}${TICKET}${await issueTicket({ key, use: 'content', subject: address }, claims)}`
    },
  }
}

/** Restricts the second origin to stored content: no interface, no other call. */
export function confineContentOrigin(app: FastifyInstance, content: ContentOrigin): void {
  app.addHook('onRequest', async request => {
    if (content.isContentRequest(request) && !request.routeOptions.config.route?.stored) throw new AppError('not_found')
  })
}

/** Stored content must not become part of a page's program. @throws AppError `forbidden` */
export function refuseActiveUse({ headers }: FastifyRequest): void {
  if (ACTIVE.has(headers['sec-fetch-dest'])) throw new AppError('forbidden', 'stored content must not run as a program')
}

/** Redirects a request whose response would become a document. @returns whether it did */
export async function sendToContentOrigin(
  content: ContentOrigin,
  route: Route,
  [request, reply]: [FastifyRequest, FastifyReply],
  bearer?: ContentBearer,
): Promise<boolean> {
  const address = await content.addressFor(request, route, bearer)
  if (address === undefined) return false
  remark(request, { action: 'nothing' })
  await reply.redirect(address, 302)
  return true
}

/** Browsers send the destination except on plain HTTP; there, a request that accepts HTML counts as a page. */
function becomesDocument({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  if (typeof destination === 'string') return DOCUMENTS.has(destination)
  return headers.accept?.includes('text/html') ?? false
}

/** A URL without a session token in its query. */
function withoutToken(url: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  return `${path}?${query
    .split('&')
    .filter(pair => pair.split('=')[0] !== 'auth')
    .join('&')}`
}
