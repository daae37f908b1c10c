import type { FastifyRequest } from 'fastify'
import { FolderMarks, RecentList, RecentSettings, StarList, StarOrder } from '../../../shared/api/marks.ts'
import { parsePath } from '../../../shared/path.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, queryOf, type Route, target } from '../../routing/route.ts'
import { remarkRoutes } from './remark-routes.ts'
import { tagRoutes } from './tag-routes.ts'
import { presentMarks, presentRecent, presentStar } from './view.ts'

export interface MarksDeps {
  files: FilesService
  cluster: Pick<Cluster, 'publish'>
  audit: Pick<Audit, 'record'>
}

/** What users starred and tagged, and what they opened and changed last (http-api 23). */
export function markRoutes({ files, cluster, audit }: MarksDeps): Route[] {
  const filesOf = (request: FastifyRequest): Promise<Files> => files.for(callerOf(request).user)
  return [
    {
      method: 'GET',
      path: '/api/stars',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the caller’s starred files and folders, in the caller’s order',
        answers: { 200: { text: 'Those that are still there, or in the trash.', schema: StarList } },
      },
      async handler(request): Promise<StarList> {
        const stars = await (await filesOf(request)).stars.list()
        return { items: stars.map(presentStar) }
      },
    },
    {
      method: 'PUT',
      path: '/api/stars/*',
      access: 'user',
      token: 'none',
      records: 'nothing',
      describes: {
        summary: 'Star a file or folder',
        answers: { 204: { text: 'It is starred.' } },
        refuses: [403, 404, 409],
      },
      async handler(request, reply) {
        await (await filesOf(request)).stars.add(target(request).path)
        return reply.code(204).send()
      },
    },
    {
      method: 'DELETE',
      path: '/api/stars/*',
      access: 'user',
      token: 'none',
      records: 'nothing',
      describes: {
        summary: 'Remove the star of a file or folder',
        query: { id: 'The `id` in the list of stars; the path is ignored then.' },
        answers: { 204: { text: 'It is not starred.' } },
      },
      async handler(request, reply) {
        await (await filesOf(request)).stars.remove(target(request).path, queryOf(request, 'id'))
        return reply.code(204).send()
      },
    },
    {
      method: 'POST',
      path: '/api/stars/order',
      access: 'user',
      token: 'none',
      records: 'nothing',
      schema: StarOrder,
      describes: { summary: 'Set the order of the stars', answers: { 204: { text: 'They have that order.' } } },
      async handler(request, reply) {
        await (await filesOf(request)).stars.order((request.body as StarOrder).ids)
        return reply.code(204).send()
      },
    },
    {
      method: 'GET',
      path: '/api/marks/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Get the caller’s marks of the items of a folder',
        answers: { 200: { text: 'Only marked items, by name.', schema: FolderMarks } },
        refuses: [403, 404, 409],
      },
      async handler(request): Promise<FolderMarks> {
        const { stars, tags, remarks } = await filesOf(request)
        const { path } = target(request)
        return presentMarks(...(await Promise.all([stars.marksIn(path), tags.marksIn(path), remarks.marksIn(path)])))
      },
    },
    ...tagRoutes(filesOf, audit),
    ...remarkRoutes(filesOf, cluster),
    ...recentRoutes(filesOf),
  ]
}

function recentRoutes(filesOf: (request: FastifyRequest) => Promise<Files>): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/recent',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List what the caller opened and changed last',
        query: { path: 'Only this file or folder.' },
        answers: {
          200: { text: `The latest first, up to ${LIMITS.recents} each that are still there.`, schema: RecentList },
        },
        refuses: [403, 404],
      },
      async handler(request): Promise<RecentList> {
        const { recent } = await filesOf(request)
        const path = queryOf(request, 'path')
        const items = path === undefined ? await recent.list() : await recent.of(parsePath(path))
        return presentRecent(items, await recent.remembers())
      },
    },
    {
      method: 'PUT',
      path: '/api/recent/*',
      access: 'user',
      token: 'none',
      records: 'nothing',
      describes: {
        summary: 'Note that the caller opened a file',
        answers: { 204: { text: 'It is listed, unless the caller does not want that.' } },
        refuses: [403, 404, 409],
      },
      async handler(request, reply) {
        await (await filesOf(request)).recent.opened(target(request).path)
        return reply.code(204).send()
      },
    },
    {
      method: 'PATCH',
      path: '/api/recent',
      access: 'user',
      token: 'none',
      records: 'nothing',
      schema: RecentSettings,
      describes: {
        summary: 'Choose whether files that the caller opens are noted',
        answers: { 204: { text: 'It is set.' } },
      },
      async handler(request, reply) {
        await (await filesOf(request)).recent.remember((request.body as RecentSettings).remember)
        return reply.code(204).send()
      },
    },
    {
      method: 'DELETE',
      path: '/api/recent',
      access: 'user',
      token: 'none',
      records: 'nothing',
      describes: { summary: 'Clear the list of recent files', answers: { 204: { text: 'It is empty.' } } },
      async handler(request, reply) {
        await (await filesOf(request)).recent.clear()
        return reply.code(204).send()
      },
    },
  ]
}
