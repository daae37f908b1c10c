import * as z from 'zod/mini'
import { RestoredEntry, SnapshotList, SnapshotRestore } from '../../../shared/api/snapshots.ts'
import { parsePath } from '../../../shared/path.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { EarlierState } from '../../files/snapshots.ts'
import { FORMATS } from '../../responses/ndjson.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { streamItems } from '../../responses/stream-items.ts'
import { callerOf, clientGone, queryOf, type Route, target } from '../../routing/route.ts'
import { restoreFrom } from './restore.ts'

export interface SnapshotsDeps {
  files: FilesService
}

/** Earlier states by snapshots of the file system (http-api 5.2); `at` in other calls reads them. */
export function snapshotRoutes({ files }: SnapshotsDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/snapshots/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the snapshots that contain a file or folder',
        query: { before: 'The id of the last one of the page before.' },
        answers: {
          200: {
            text: 'The newest first; of a file, those in which it differs from the next newer one.',
            schema: SnapshotList,
          },
        },
        refuses: [403],
      },
      async handler(request): Promise<SnapshotList> {
        const own = await files.for(callerOf(request).user)
        const { items, more } = await own.earlierStates(target(request).path, queryOf(request, 'before'))
        return { items: items.map(present), more }
      },
    },
    {
      method: 'POST',
      path: '/api/snapshots/*',
      access: 'user',
      token: 'write',
      records: 'copy',
      schema: SnapshotRestore,
      describes: {
        summary: 'Copy a file or folder from a snapshot to a path',
        answers: {
          200: {
            text: 'A result for each file and folder, sent as it is known.',
            type: FORMATS.lines.type,
            schema: z.array(RestoredEntry),
          },
        },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const { at, from, conflict = 'keepBoth' } = request.body as SnapshotRestore
        const signal = clientGone(request, reply)
        const to = target(request).path
        const order = { from: from === undefined ? to : parsePath(from), to, conflict, signal }
        const items = await restoreFrom(await own.at(at), own, order)
        return reply.type(FORMATS.lines.type).send(streamItems({ items }, FORMATS.lines, signal))
      },
    },
  ]
}

function present({ id, name, time, source, entry }: EarlierState): SnapshotList['items'][number] {
  const snapshot = { id, name, time: rfc3339(time), source }
  return entry.kind === 'file' ? { ...snapshot, size: entry.size, modified: rfc3339(entry.modified) } : snapshot
}
