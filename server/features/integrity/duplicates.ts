import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { DUPLICATES_PAGE, type DuplicateGroup, DuplicateRun, DuplicatesPage } from '../../../shared/api/integrity.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import {
  countGroups,
  type DuplicateRow,
  findRun,
  listGroups,
  listRuns,
  type DuplicateRun as Run,
} from '../../integrity/duplicates.store.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { callerOf, parameterOf, queryOf, type Route } from '../../routing/route.ts'

export interface DuplicatesDeps {
  db: Db
  files: FilesService
}

/** The results of searches for duplicates (http-api 26), which are jobs. */
export function duplicatesRoutes({ db, files }: DuplicatesDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/duplicates',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the caller’s searches for duplicates, newest first',
        answers: { 200: { text: 'Those that are remembered.', schema: z.array(DuplicateRun) } },
      },
      async handler(request): Promise<DuplicateRun[]> {
        const { user } = callerOf(request)
        const own = await files.for(user)
        return (await listRuns(db, user.id)).flatMap(run => presentRun(own, user.scope, run) ?? [])
      },
    },
    {
      method: 'GET',
      path: '/api/duplicates/:run',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the groups of files that a search found to have the same content',
        path: 'The id of the job.',
        query: { after: { text: 'The number in `next` of the page before.', type: 'integer' } },
        answers: { 200: { text: `Up to ${DUPLICATES_PAGE} groups.`, schema: DuplicatesPage } },
        refuses: [400, 404],
      },
      async handler(request): Promise<DuplicatesPage> {
        const { user } = callerOf(request)
        const own = await files.for(user)
        const row = await findRun(db, parameterOf(request, 'run'))
        const run = row?.user_id === user.id ? presentRun(own, user.scope, row) : undefined
        if (!run) throw new AppError('not_found')
        const after = afterIn(request)
        const rows = await listGroups(db, run.id, after, DUPLICATES_PAGE)
        const next = after + DUPLICATES_PAGE
        const groups = [...Map.groupBy(rows, ({ grp }) => grp).values()].flatMap(
          group => presentGroup(own, group) ?? [],
        )
        return { run, groups, ...(next < (await countGroups(db, run.id)) && { next }) }
      },
    },
  ]
}

/** @throws AppError `bad_request` */
function afterIn(request: FastifyRequest): number {
  const text = queryOf(request, 'after') ?? '0'
  if (!/^\d{1,9}$/.test(text)) throw new AppError('bad_request', 'after: must be a number')
  return Number(text)
}

/** Nothing for a folder that the user does not see. */
function presentRun(own: Files, scope: string, { id, folder, least, at, ended_at, files, skipped }: Run) {
  const path = folder === scopeFolder(scope) ? '/' : own.history.pathOf(folder)
  if (path === undefined) return undefined
  const ended = ended_at === null ? {} : { ended: rfc3339(ended_at) }
  return { id, folder: path, least, started: rfc3339(at), ...ended, files, skipped }
}

/** Nothing where the user sees no two files of a group. */
function presentGroup(own: Files, rows: readonly DuplicateRow[]): DuplicateGroup | undefined {
  const files = rows.flatMap(({ place, modified }) => {
    const path = own.history.pathOf(place)
    return path === undefined ? [] : [{ path, modified: rfc3339(modified) }]
  })
  const [first] = rows
  return first && files.length > 1 ? { group: first.grp, size: first.size, sha256: first.sha256, files } : undefined
}
