import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { SHARE_UNITS, ShareLink, ShareRequest } from '../../../shared/api/shares.ts'
import type { User } from '../../../shared/api/users.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import { AppError } from '../../errors.ts'
import { callerOf, type Route, remark, sendStatus, target } from '../../routing/route.ts'
import { readShareOptions } from './parse-share.ts'
import { type PublicDeps, publicRoutes } from './public.ts'
import type { OwnedShare } from './shares.store.ts'

/** Share links, for their owners and their holders (http-api 10). */
export function shareRoutes(deps: PublicDeps): Route[] {
  const { shares } = deps
  return [
    {
      method: 'GET',
      path: '/api/shares',
      access: 'user',
      describes: {
        summary: 'List one’s own links; all links for administrators',
        answers: { 200: { text: 'The links.', schema: z.array(ShareLink) } },
        refuses: [403],
      },
      async handler(request) {
        const user = sharerOf(request)
        return (await shares.list(user)).map(share => toWire(share, user))
      },
    },
    {
      method: 'GET',
      path: '/api/share/*',
      access: 'user',
      describes: {
        summary: 'List the links to a file or folder',
        answers: { 200: { text: 'The links.', schema: z.array(ShareLink) } },
      },
      async handler(request) {
        const user = sharerOf(request)
        return (await shares.at(user, target(request).path)).map(share => toWire(share, user))
      },
    },
    {
      method: 'POST',
      path: '/api/share/*',
      access: 'user',
      records: 'share.add',
      schema: ShareRequest,
      describes: {
        summary: 'Create a link to a file or a folder',
        query: {
          expires: 'The lifetime of the link, if the body does not set it; unlimited by default.',
          unit: `${Object.keys(SHARE_UNITS).join(', ')}; hours by default.`,
        },
        answers: { 200: { text: 'The link.', schema: ShareLink } },
      },
      async handler(request) {
        const user = sharerOf(request)
        const { path, folder } = target(request)
        return toWire(await shares.create(user, path, folder, readShareOptions(request)), user)
      },
    },
    {
      method: 'DELETE',
      path: '/api/share/*',
      access: 'user',
      records: 'share.remove',
      describes: {
        summary: 'Delete a link',
        path: 'The name of the link.',
        answers: { 200: { text: 'The link is deleted.' } },
      },
      async handler(request, reply) {
        const user = sharerOf(request)
        const { path } = target(request)
        if (path === ROOT) throw new AppError('bad_request', 'names no link')
        const { place } = await shares.remove(user, path.slice(1))
        remark(request, { path: place as FilePath })
        return sendStatus(reply, 200)
      },
    },
    ...publicRoutes(deps),
  ]
}

/** The caller, who must have the right to share. @throws AppError `forbidden` */
function sharerOf(request: FastifyRequest): User {
  const { user } = callerOf(request)
  if (!allows(user.perm, 'share')) throw new AppError('forbidden')
  return user
}

/** A link as in the API: nothing that opens it but its name. */
function toWire({ hash, path, userId, expire, passwordHash, username }: OwnedShare, { perm }: User): ShareLink {
  const link = { hash, path, userID: userId, expire, hasPassword: passwordHash !== '' }
  return perm.admin ? { ...link, username } : link
}
