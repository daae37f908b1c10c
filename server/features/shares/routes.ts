import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  DeliveriesPage,
  isShareCount,
  LinkChange,
  LinkVisits,
  MAX_SHARE_DURATION,
  SHARE_UNITS,
  ShareLink,
  ShareRequest,
} from '../../../shared/api/shares.ts'
import type { User } from '../../../shared/api/users.ts'
import { MAX_PASSWORD_BYTES } from '../../../shared/limits.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { PAGE } from '../../db/paginate.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { FORMATS } from '../../responses/ndjson.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { streamItems } from '../../responses/stream-items.ts'
import {
  callerOf,
  clientGone,
  parameterOf,
  queryOf,
  type Route,
  remark,
  sendStatus,
  target,
} from '../../routing/route.ts'
import type { Deliveries } from './deliveries.ts'
import { listLinkEvents } from './link-events.store.ts'
import { linkId, shortLink } from './link-rights.ts'
import type { LinkNow } from './links-now.ts'
import { type PublicDeps, publicRoutes } from './public-routes.ts'
import type { OwnedShare } from './shares.store.ts'
import type { ShareOptions, Sharer } from './shares.ts'

export interface ShareRoutesDeps extends PublicDeps {
  deliveries: Pick<Deliveries, 'page'>
}

/** Share links, for their owners and their holders (http-api 10). */
export function shareRoutes(deps: ShareRoutesDeps): Route[] {
  const { shares } = deps
  return [
    {
      method: 'GET',
      path: '/api/shares',
      access: 'user',
      token: 'share',
      describes: {
        summary: 'List one’s own links; all links for administrators',
        query: { details: { text: '`true` adds when each was created.', type: 'boolean' } },
        answers: { 200: { text: 'The links.', schema: z.array(ShareLink) } },
        refuses: [403],
      },
      async handler(request, reply) {
        const user = await sharerOf(shares, request)
        const isDetailed = queryOf(request, 'details') === 'true'
        const present = (share: LinkNow<OwnedShare>): ShareLink => ({
          ...toWire(share, user),
          ...(isDetailed && { created: rfc3339(share.createdAt) }),
        })
        const links = await shares.list(user)
        if (links.length <= PAGE) return links.map(present)
        const body = streamItems({ items: presented(links, present) }, FORMATS.array, clientGone(request, reply))
        return reply.type(FORMATS.array.type).send(body)
      },
    },
    {
      method: 'GET',
      path: '/api/share/*',
      access: 'user',
      token: 'share',
      describes: {
        summary: 'List the links to a file or folder',
        answers: { 200: { text: 'The links.', schema: z.array(ShareLink) } },
      },
      async handler(request) {
        const user = await sharerOf(shares, request)
        return (await shares.at(user, target(request).path)).map(share => toWire(share, user))
      },
    },
    {
      method: 'POST',
      path: '/api/share/*',
      access: 'user',
      token: 'share',
      records: 'share.add',
      schema: ShareRequest,
      describes: {
        summary: 'Create a link to a file or a folder',
        query: {
          expires: 'The lifetime of the link, if the body does not set it; unlimited by default.',
          unit: { text: 'The unit of the lifetime; hours by default.', of: Object.keys(SHARE_UNITS) },
        },
        answers: { 200: { text: 'The link.', schema: ShareLink } },
      },
      async handler(request) {
        const user = await sharerOf(shares, request)
        const { path, folder } = target(request)
        const share = await shares.create(user, path, folder, readShareOptions(request))
        remark(request, { facts: { link: shortLink(share.hash) } })
        return toWire(share, user)
      },
    },
    {
      method: 'DELETE',
      path: '/api/share/*',
      access: 'user',
      token: 'share',
      records: 'share.remove',
      describes: {
        summary: 'Delete a link',
        path: 'The name of the link.',
        answers: { 200: { text: 'The link is deleted.' } },
      },
      async handler(request, reply) {
        const user = await sharerOf(shares, request)
        const { path } = target(request)
        if (path === ROOT) throw new AppError('bad_request', 'names no link')
        const { place, hash } = await shares.remove(user, path.slice(1))
        remark(request, { path: place as FilePath, facts: { link: shortLink(hash) } })
        return sendStatus(reply, 200)
      },
    },
    {
      method: 'PATCH',
      path: '/api/links/:hash',
      access: 'user',
      token: 'share',
      records: 'share.change',
      schema: LinkChange,
      describes: {
        summary: 'Change when a link ends, its password, its label, its name, its rights and its limits; pause it',
        path: 'The name of the link.',
        answers: { 200: { text: 'The link.', schema: ShareLink } },
        refuses: [403, 404, 409],
      },
      async handler(request) {
        const user = await sharerOf(shares, request)
        const change = request.body as LinkChange
        checkPassword(change.password ?? '')
        const share = await shares.change(user, parameterOf(request, 'hash'), change)
        remark(request, { path: share.place as FilePath })
        return toWire(share, user)
      },
    },
    {
      method: 'GET',
      path: '/api/links/:hash/deliveries',
      access: 'user',
      token: 'share',
      describes: {
        summary: 'List what arrived by a file request, the newest first',
        path: 'The name of the link.',
        query: { before: '`next` of the previous page.' },
        answers: { 200: { text: 'The files, with their senders.', schema: DeliveriesPage } },
        refuses: [400, 403, 404],
      },
      async handler(request): Promise<DeliveriesPage> {
        const { hash } = await shares.owned(await sharerOf(shares, request), parameterOf(request, 'hash'))
        return deps.deliveries.page(hash, queryOf(request, 'before'))
      },
    },
    visitsRoute(deps),
    ...publicRoutes(deps),
  ]
}

const visitsRoute = ({ db, shares }: ShareRoutesDeps): Route => ({
  method: 'GET',
  path: '/api/links/:hash/visits',
  access: 'user',
  token: 'share',
  describes: {
    summary: 'List when a link was opened and downloaded from, the newest first',
    path: 'The name of the link.',
    answers: { 200: { text: 'The last visits, without addresses.', schema: LinkVisits } },
    refuses: [403, 404],
  },
  async handler(request): Promise<LinkVisits> {
    const { hash } = await shares.owned(await sharerOf(shares, request), parameterOf(request, 'hash'))
    const events = await listLinkEvents(db, hash, LIMITS.linkEvents)
    return events.map(({ at, what, path }) => ({ time: rfc3339(at), what, path }))
  },
})

async function* presented<T, Item>(all: readonly T[], present: (one: T) => Item): AsyncGenerator<Item> {
  for (const one of all) yield present(one)
}

/** The caller, who must have the right to share. @throws AppError `forbidden` */
async function sharerOf(shares: PublicDeps['shares'], request: FastifyRequest): Promise<Sharer> {
  const { user } = callerOf(request)
  await shares.demandSharer(user)
  return user
}

/** A link as in the API: nothing that opens it but its name. What File Browser does not have comes last. */
function toWire(share: LinkNow<OwnedShare>, { perm }: User): ShareLink {
  const { hash, path, userId, expire, passwordHash, username, label, slug, maxDownloads } = share
  const { purpose, rights, terms, received, used, pausedAt, previewOnly, shut } = share
  return {
    ...{ hash, path, userID: userId, expire, hasPassword: passwordHash !== '' },
    ...(perm.admin && { username }),
    ...(label !== '' && { label }),
    ...(slug !== null && { slug }),
    ...(maxDownloads !== null && { maxDownloads }),
    ...(pausedAt !== null && { paused: rfc3339(pausedAt) }),
    ...(shut && { shut }),
    ...(previewOnly && { previewOnly }),
    ...(purpose === 'edit' && { kind: purpose }),
    ...(purpose !== 'drop' && terms.note !== '' && { note: terms.note }),
    ...(purpose === 'edit' && { rights: [...rights], id: linkId(share) }),
    ...(purpose === 'edit' && terms.sender !== 'no' && { sender: terms.sender }),
    ...(purpose === 'drop' && { kind: purpose, ...terms, received }),
    ...(used.last !== null && { used: { ...used, last: rfc3339(used.last) } }),
  }
}

/**
 * Parses the options from the body or, where it does not set them, from the query (http-api 10.1).
 * @throws AppError `bad_request` for a lifetime that is not a whole number, or a password that is too long
 */
function readShareOptions(request: FastifyRequest): ShareOptions {
  const body = request.body as ShareRequest | undefined
  const password = body?.password ?? ''
  checkPassword(password)
  const inBody = String(body?.expires ?? '')
  const count = inBody === '' ? (queryOf(request, 'expires') ?? '') : inBody
  const unit = body?.unit || (queryOf(request, 'unit') ?? '')
  const { kind, password: _, expires: __, unit: ___, ...more } = body ?? {}
  const { label, slug, maxDownloads, previewOnly, rights, ...terms } = more
  const lifetime = readLifetime(count, unit)
  return { password, lifetime, purpose: kind, label, slug, maxDownloads, previewOnly, rights, terms }
}

/** @throws AppError `bad_request` */
function checkPassword(password: string): void {
  if (Buffer.byteLength(password) <= MAX_PASSWORD_BYTES) return
  throw new AppError('bad_request', `password: must be no longer than ${MAX_PASSWORD_BYTES} bytes`)
}

/**
 * A lifetime in seconds. No number, or zero, means no expiry; an unknown unit means hours.
 * @throws AppError `bad_request`
 */
export function readLifetime(count: string, unit: string): number {
  if (count === '') return 0
  if (!isShareCount(count)) {
    throw new AppError('bad_request', `expires: must be a whole number up to ${MAX_SHARE_DURATION}`)
  }
  return Number(count) * secondsOf(unit)
}

function secondsOf(unit: string): number {
  const known = Object.entries(SHARE_UNITS).find(([name]) => name === unit)
  return known ? known[1] : SHARE_UNITS.hours
}
