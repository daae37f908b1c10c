import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { bearerOf, type ContentBearer, issueContentTicket } from '../features/auth/content-ticket.ts'
import { queryOf, type Route, remark } from '../routing/route.ts'

/** Destinations (Fetch Metadata) at which a browser makes a document of an answer. */
const DOCUMENTS: ReadonlySet<string> = new Set(['document', 'iframe', 'frame', 'embed', 'object', 'fencedframe'])
/** Destinations at which an answer would run in the page that asks for it, or shape it. */
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
/** Goes last in an address that its ticket is for. */
const TICKET = '&ticket='

/** How stored content is kept away from the origin of the interface (docs/design/auth.md). */
export interface ContentOrigin {
  /** Whether a request came by the second origin, where sessions count for nothing. */
  isMeant(request: FastifyRequest): boolean
  /** Who may see what the address of such a request names. @throws AppError `unauthorized` */
  bearerOf(request: FastifyRequest): Promise<ContentBearer | 'anybody'>
  /** Where a request is sent on to, if its answer would become a document here. */
  addressFor(request: FastifyRequest, route: Route, bearer?: ContentBearer): Promise<string | undefined>
}

/** The second origin of a host that has one. @param key signs its tickets */
export function contentOrigin(config: Pick<Config, 'contentOrigin'>, key: Uint8Array): ContentOrigin | undefined {
  const { contentOrigin: origin } = config
  if (origin === '') return undefined
  const { protocol, host } = new URL(origin)
  const isMeant = (request: FastifyRequest) => URL.parse(`${protocol}//${request.host}`)?.host === host
  return {
    isMeant,
    async bearerOf(request) {
      const [address = '', ticket = '', ...more] = (request.raw.url ?? '').split(TICKET)
      const bearer = more.length === 0 ? await bearerOf(key, address, ticket) : undefined
      if (!bearer) throw new AppError('unauthorized')
      return bearer
    },
    async addressFor(request, route, bearer) {
      if (!route.stored || queryOf(request, 'inline') !== 'true' || !becomesDocument(request)) return undefined
      if (queryOf(request, 'ticket') !== undefined) {
        throw new AppError(
          'bad_request',
          'the content origin is not told by its name: the proxy must pass the header Host',
        )
      }
      const address = withoutToken(request.raw.url ?? '')
      return `${origin}${address}${TICKET}${await issueContentTicket(key, address, bearer)}`
    },
  }
}

/** Lets the second origin answer with stored content and nothing else: no interface, no other call. */
export function confineContentOrigin(app: FastifyInstance, content: ContentOrigin): void {
  app.addHook('onRequest', async request => {
    if (content.isMeant(request) && !request.routeOptions.config.route?.stored) throw new AppError('not_found')
  })
}

/** What users stored is no part of any page's program. @throws AppError `forbidden` */
export function refuseActiveUse({ headers }: FastifyRequest): void {
  if (ACTIVE.has(headers['sec-fetch-dest'])) throw new AppError('forbidden', 'stored content is no program')
}

/** Sends a request on if its answer would become a document. @returns whether it was */
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

/** Browsers tell what they want an answer for, but on plain HTTP; there, a page is what HTML would be welcome for. */
function becomesDocument({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  if (typeof destination === 'string') return DOCUMENTS.has(destination)
  return headers.accept?.includes('text/html') ?? false
}

/** An address without a session token in its query. */
function withoutToken(url: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  return `${path}?${query
    .split('&')
    .filter(pair => pair.split('=')[0] !== 'auth')
    .join('&')}`
}
