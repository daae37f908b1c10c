import { ConflictsAnswer, ConflictsRequest, type FoundConflict } from '../../../shared/api/conflicts.ts'
import { MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import { MAX_TOLD_CONFLICTS } from '../../../shared/conflicts.ts'
import { parsePath } from '../../../shared/path.ts'
import { asAppError } from '../../errors.ts'
import type { Collision } from '../../files/conflicts.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { isMerge } from '../../files/transfer.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { callerOf, clientGone, type Route } from '../../routing/route.ts'

/** Finds name conflicts before anything is copied or moved, so that the user can decide. */
export function conflictsRoute(files: FilesService): Route {
  return {
    method: 'POST',
    path: '/api/conflicts',
    access: 'user',
    token: 'read',
    records: 'nothing',
    schema: ConflictsRequest,
    bodyLimit: MAX_JOB_BODY,
    describes: {
      summary: 'List the conflicts of a copy or a move, also in folders that would be merged',
      answers: {
        200: {
          text: `All folders and the first ${MAX_TOLD_CONFLICTS} files. Items that may not be copied or moved are omitted.`,
          schema: ConflictsAnswer,
        },
      },
    },
    async handler(request, reply): Promise<ConflictsAnswer> {
      const own = await files.for(callerOf(request).user)
      return conflictsOf(own, request.body as ConflictsRequest, clientGone(request, reply))
    },
  }
}

async function conflictsOf(own: Files, { items }: ConflictsRequest, signal: AbortSignal): Promise<ConflictsAnswer> {
  const conflicts: FoundConflict[] = []
  let files = 0
  for (const [item, { from, to }] of items.entries()) {
    const [source, goal] = [parsePath(from), parsePath(to)]
    try {
      for await (const collision of own.transfers.collisions(source, goal, signal)) {
        const merges = isMerge(collision.ours, collision.theirs)
        if (!merges) files += 1
        if (merges || files <= MAX_TOLD_CONFLICTS) conflicts.push(reported(item, collision))
      }
    } catch (thrown) {
      if (asAppError(thrown).code === 'internal' || signal.aborted) throw thrown
    }
  }
  return { conflicts, more: Math.max(0, files - MAX_TOLD_CONFLICTS) }
}

const reported = (item: number, { to, ours, theirs }: Collision): FoundConflict => ({
  item,
  to,
  ours: versionOf(ours),
  theirs: versionOf(theirs),
})

const versionOf = ({ kind, isLink, size, modified }: Collision['ours']) => ({
  isDir: kind === 'folder',
  isSymlink: isLink,
  size,
  modified: rfc3339(modified),
})
