import { ConflictsAnswer, ConflictsRequest } from '../../../shared/api/conflicts.ts'
import { MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import { MAX_LISTED_CONFLICTS } from '../../../shared/conflicts.ts'
import { parsePath } from '../../../shared/path.ts'
import type { FilesService } from '../../files/files-service.ts'
import { answerConflicts } from '../../responses/conflicts.ts'
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
          text: `All folders and the first ${MAX_LISTED_CONFLICTS} files. Items that may not be copied or moved are omitted.`,
          schema: ConflictsAnswer,
        },
      },
    },
    async handler(request, reply): Promise<ConflictsAnswer> {
      const own = await files.for(callerOf(request).user)
      const { items } = request.body as ConflictsRequest
      const signal = clientGone(request, reply)
      return answerConflicts(
        items.map(({ from, to }) => own.transfers.collisions(parsePath(from), parsePath(to), signal)),
        signal,
      )
    },
  }
}
