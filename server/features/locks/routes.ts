import type { FastifyRequest } from 'fastify'
import { type LockInfo, LockList } from '../../../shared/api/locks.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { SeenLock } from '../../files/locks.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, queryOf, type Route, remark, target } from '../../routing/route.ts'

export interface LockRouteDeps {
  files: FilesService
}

/** Locks of files and folders: who holds them, and their release without their token (http-api 28). */
export function lockRoutes({ files }: LockRouteDeps): Route[] {
  const filesOf = (request: FastifyRequest): Promise<Files> => files.for(callerOf(request).user)
  return [
    {
      method: 'GET',
      path: '/api/locks/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the locks of a file or a folder, of what it is in, and of what is in it',
        answers: {
          200: {
            text: `Those that hold at the path, its folder’s among them, then up to ${LIMITS.listedLocks} of what is below it.`,
            schema: LockList,
          },
        },
        refuses: [403, 404],
      },
      async handler(request): Promise<LockList> {
        const locks = await (await filesOf(request)).locks.list(target(request).path)
        return { locks: locks.map(toWire) }
      },
    },
    {
      method: 'DELETE',
      path: '/api/locks/*',
      access: 'user',
      token: 'write',
      records: 'unlock',
      describes: {
        summary: 'Release a lock: the caller’s own, and any for administrators',
        query: { id: { text: 'The `id` in the list of locks.', required: true } },
        answers: { 204: { text: 'It has ended.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const { locks } = await filesOf(request)
        const lock = await locks.release(target(request).path, queryOf(request, 'id') ?? '')
        remark(request, { target: `lock:${lock.id} ${lock.label}`, ...(!lock.mine && { action: 'lock.break' }) })
        return reply.code(204).send()
      },
    },
  ]
}

function toWire({ id, path, mine, releasable, who, label, via, since, until, deep, scope }: SeenLock): LockInfo {
  return {
    id,
    path,
    mine,
    releasable,
    ...(who !== undefined && { who }),
    label,
    via,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    depth: deep ? 'infinity' : '0',
    scope,
  }
}
