import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '../../../shared/api/audit.ts'
import { MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import {
  MAX_TRASH_ITEMS,
  PurgeBody,
  RestoreBody,
  TRASH_PAGE,
  TrashPage,
  type TrashResult,
  TrashResults,
} from '../../../shared/api/trash.ts'
import { type FilePath, joinPath, parsePath, ROOT } from '../../../shared/path.ts'
import type { Audit } from '../../audit/audit.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { RestoreChoice } from '../../files/restore.ts'
import type { SeenKept } from '../../files/trash.ts'
import { callerOf, queryOf, type Route } from '../../routing/route.ts'
import { trashConflictsRoute } from './conflicts.ts'
import { type EmptyDeps, emptyRoute, timeOf } from './empty.ts'
import { type RoomDeps, roomRoute } from './room.ts'
import { type KeptViewDeps, keptViewRoutes, presentKept } from './view.ts'

export interface TrashDeps extends KeptViewDeps, EmptyDeps, RoomDeps {
  audit: Pick<Audit, 'record'>
  config: KeptViewDeps['config'] & EmptyDeps['config'] & RoomDeps['config']
}

/** The trash (http-api 20): deleted things, and the ways back and out. */
export function trashRoutes(deps: TrashDeps): Route[] {
  const { files, audit, config } = deps
  return [
    {
      method: 'GET',
      path: '/api/trash',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the trash, the newest first',
        query: {
          mine: { text: '`true` lists only what the caller deleted.', type: 'boolean' },
          folder: 'Only what was in this folder or below it.',
          name: 'Part of the name, in any letter case.',
          before: 'The id of the last item of the page before.',
        },
        answers: { 200: { text: `Up to ${TRASH_PAGE} things whose old path the caller may see.`, schema: TrashPage } },
        refuses: [400, 501],
      },
      async handler(request): Promise<TrashPage> {
        const own = await files.for(callerOf(request).user)
        const mine = queryOf(request, 'mine') === 'true'
        const before = queryOf(request, 'before')
        const folder = parsePath(queryOf(request, 'folder') ?? '/')
        const asked = { folder, mine, name: queryOf(request, 'name') ?? '', ...(before !== undefined && { before }) }
        const { items, more } = await own.trash.list(asked, TRASH_PAGE)
        const wire = items.map(item => presentKept(item, config.trashDays))
        return { items: wire, more, ...totalOf(await own.trash.sums(false)) }
      },
    },
    {
      method: 'POST',
      path: '/api/trash/restore',
      access: 'user',
      token: 'write',
      records: 'nothing',
      schema: RestoreBody,
      bodyLimit: MAX_JOB_BODY,
      describes: {
        summary: 'Restore things from the trash, or entries of folders in it',
        answers: { 200: { text: 'A result for each item, in the order given.', schema: TrashResults } },
        refuses: [501],
      },
      async handler(request): Promise<TrashResults> {
        const own = await files.for(callerOf(request).user)
        const body = request.body as RestoreBody
        const orders = ordersOf(body)
        const note = noteIn(audit, request, files)
        const results: TrashResult[] = []
        for (const order of orders) {
          const seen = await own.trash.find(order.id).catch(() => undefined)
          const result = await resultOf(order.id, async () => {
            const to = await own.trash.restore(order.id, order)
            return to === undefined ? { state: 'skipped' } : { state: 'done', to }
          })
          results.push(result)
          if (seen) await note('trash.restore', result, joinPath(seen.path, order.inner ?? ROOT))
        }
        return { results, more: false }
      },
    },
    {
      method: 'POST',
      path: '/api/trash/purge',
      access: 'user',
      token: 'write',
      records: 'nothing',
      schema: PurgeBody,
      bodyLimit: MAX_JOB_BODY,
      describes: {
        summary: 'Delete things in the trash for good; all of them to empty it',
        answers: {
          200: {
            text: `A result for each item; with \`all\` for the newest ${MAX_TRASH_ITEMS} that were in the trash when the request began. Other users’ things only for administrators.`,
            schema: TrashResults,
          },
        },
        refuses: [501],
      },
      async handler(request): Promise<TrashResults> {
        const own = await files.for(callerOf(request).user)
        const { ids, more } = await idsOf(own, request.body as PurgeBody)
        const note = noteIn(audit, request, files)
        const purged: SeenKept[] = []
        const results: TrashResult[] = []
        for (const id of ids) {
          const seen = await own.trash.find(id).catch(() => undefined)
          const result = await resultOf(id, async () => {
            purged.push(await own.trash.purge(id))
            return { state: 'done' }
          })
          results.push(result)
          if (seen) await note('purge', result, seen.path)
        }
        // The response does not wait for the space.
        void own.trash.clear(purged)
        return { results, more }
      },
    },
    trashConflictsRoute(files),
    roomRoute(deps),
    emptyRoute(deps),
    ...keptViewRoutes(deps),
  ]
}

function totalOf(sums: readonly { count: number; bytes: number }[]): { count: number; bytes: number } {
  const total = (of: 'count' | 'bytes') => sums.reduce((sum, each) => sum + each[of], 0)
  return { count: total('count'), bytes: total('bytes') }
}

type Order = { id: string; inner?: FilePath; to?: FilePath; choose: (path: FilePath) => RestoreChoice | undefined }

function ordersOf({ items, conflict, choices = {} }: RestoreBody): Order[] {
  const byPath = new Map(Object.entries(choices).map(([path, choice]) => [parsePath(path), choice]))
  const choose = (path: FilePath) => byPath.get(path) ?? conflict
  return items.map(({ id, inner, to }) => ({
    id,
    choose,
    ...(inner === undefined ? {} : { inner: parsePath(inner) }),
    ...(to === undefined ? {} : { to: parsePath(to) }),
  }))
}

async function idsOf(own: Files, { ids, all, mine = false, before }: PurgeBody) {
  if ((ids === undefined) === (all !== true)) throw new AppError('bad_request', 'ids: needed, or all')
  if (ids) return { ids, more: false }
  const time = timeOf(before)
  const found = await own.trash.purgeable(mine, time, MAX_TRASH_ITEMS + 1)
  return { ids: found.slice(0, MAX_TRASH_ITEMS).map(({ id }) => id), more: found.length > MAX_TRASH_ITEMS }
}

async function resultOf(id: string, act: () => Promise<Omit<TrashResult, 'id'>>): Promise<TrashResult> {
  try {
    return { id, ...(await act()) }
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'internal' || code === 'unauthorized') throw thrown
    return { id, state: 'failed', code }
  }
}

/** Records one row of the audit log for each thing that left the trash, and for each refusal. */
const noteIn =
  (audit: Pick<Audit, 'record'>, request: FastifyRequest, files: Pick<FilesService, 'placeOf'>) =>
  async (action: AuditAction, { state, to, code }: TrashResult, path: FilePath): Promise<void> => {
    if (state === 'skipped' || (state === 'failed' && code !== 'forbidden')) return
    const { user, way } = callerOf(request)
    await audit.record({
      action,
      outcome: state === 'done' ? 'done' : 'forbidden',
      way,
      address: request.ip,
      who: user,
      path: await files.placeOf(user, path),
      ...(to === undefined ? {} : { target: await files.placeOf(user, to as FilePath) }),
    })
  }
