import { ConflictsAnswer } from '../../../shared/api/conflicts.ts'
import { MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import { RestoreConflictsBody } from '../../../shared/api/trash.ts'
import { MAX_LISTED_CONFLICTS } from '../../../shared/conflicts.ts'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { answerConflicts } from '../../responses/conflicts.ts'
import { callerOf, clientGone, type Route } from '../../routing/route.ts'

/** Finds what is in the way of a restore before anything comes back, so that the user can decide. */
export function trashConflictsRoute(files: FilesService): Route {
  return {
    method: 'POST',
    path: '/api/trash/conflicts',
    access: 'user',
    token: 'read',
    records: 'nothing',
    schema: RestoreConflictsBody,
    bodyLimit: MAX_JOB_BODY,
    describes: {
      summary: 'List the conflicts of a restore, also in folders that would be merged',
      answers: {
        200: {
          text: `All folders and the first ${MAX_LISTED_CONFLICTS} files. Items that may not be restored are omitted.`,
          schema: ConflictsAnswer,
        },
      },
      refuses: [501],
    },
    async handler(request, reply): Promise<ConflictsAnswer> {
      const { trash } = await files.for(callerOf(request).user)
      const signal = clientGone(request, reply)
      if (!trash.isOn) throw new AppError('unsupported')
      const { items } = request.body as RestoreConflictsBody
      return answerConflicts(
        items.map(({ inner, to, ...item }) => {
          const paths = {
            ...(inner !== undefined && { inner: parsePath(inner) }),
            ...(to !== undefined && { to: parsePath(to) }),
          }
          return trash.collisions({ ...item, ...paths }, signal)
        }),
        signal,
      )
    },
  }
}
