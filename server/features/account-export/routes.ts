import type { FastifyReply, FastifyRequest } from 'fastify'
import { accountArchive } from '../../archives/write/account-archive.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Actor } from '../../files/policy.ts'
import { sendMade } from '../../responses/archive.ts'
import { callerOf, clientGone, type Route, remark } from '../../routing/route.ts'
import { type ActingUser, actingUser } from '../groups/acting-user.ts'
import { demandUserIn } from '../users/addressed-user.ts'
import { findUser } from '../users/users.store.ts'
import { type AccountDeps, accountOf, activityOf } from './account.ts'

export interface AccountExportDeps extends AccountDeps {
  files: FilesService
}

const EXPORT = {
  answers: {
    200: {
      text: 'A ZIP archive, made while it is sent.',
      type: 'application/zip',
      headers: { 'Content-Disposition': 'The file name.' },
    },
  },
} as const

/** What is stored of a user, and the files of their home, as one archive (http-api 54). */
export function accountExportRoutes(deps: AccountExportDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/account/export',
      access: 'user',
      token: 'none',
      records: 'user.export',
      describes: { summary: 'Download what is stored of the caller, with the files of the home', ...EXPORT },
      async handler(request, reply) {
        const user = await findUser(deps.db, callerOf(request).user.id)
        if (!user) throw new AppError('not_found')
        const acting = await actingUser(deps.db, user)
        return sendExport(deps, { request, reply }, acting, acting.perm)
      },
    },
    {
      method: 'GET',
      path: '/api/users/:id/export',
      access: 'admin',
      token: 'none',
      records: 'user.export',
      describes: {
        summary: 'Download what is stored of a user, with the files of their home',
        refuses: [404],
        ...EXPORT,
      },
      async handler(request, reply) {
        const acting = await actingUser(deps.db, await demandUserIn(deps.db, request))
        // An administrator hands over what a user has, also where the user may not download it.
        return sendExport(deps, { request, reply }, acting, { ...acting.perm, download: true })
      },
    },
  ]
}

async function sendExport(
  deps: AccountExportDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  user: ActingUser,
  perm: Actor['perm'],
): Promise<FastifyReply> {
  remark(request, { target: user.username })
  const own = await filesOf(deps.files, user, perm)
  const made = [
    { name: 'account.json', content: `${JSON.stringify(await accountOf(deps, user, own), undefined, 2)}\n` },
    { name: 'activity.ndjson', content: await activityOf(deps, user) },
  ]
  const chunks = () => accountArchive(made, own, clientGone(request, reply))
  return sendMade(reply, { name: `${user.username}.zip`, type: 'application/zip', chunks, close: async () => {} })
}

/** The home with hidden names and without other places; nothing where the user has none, or may download nothing of it. */
async function filesOf(files: FilesService, user: ActingUser, perm: Actor['perm']): Promise<Files | undefined> {
  const { receiving: _, mounts: __, ...home } = user
  if (!home.hasHome || !perm.download) return undefined
  try {
    return await files.for({ ...home, perm, hideDotfiles: false })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
    throw thrown
  }
}
