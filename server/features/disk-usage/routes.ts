import { UsageAnswer } from '../../../shared/api/resources.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, queryOf, type Route, target } from '../../routing/route.ts'
import { sizesRoute } from './sizes.ts'

export interface UsageDeps {
  files: FilesService
}

/** Disk usage below a folder (http-api 8). */
export function usageRoutes({ files }: UsageDeps): Route[] {
  return [
    sizesRoute(files),
    {
      method: 'GET',
      path: '/api/usage/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Get the disk usage of the storage below a folder',
        query: { below: { text: '`true` adds the total of everything below the folder.', type: 'boolean' } },
        answers: {
          200: {
            text: 'Bytes; both are 0 for a file. `below` is present when requested, known to the search index, and the caller may see all of it.',
            schema: UsageAnswer,
          },
        },
      },
      async handler(request): Promise<UsageAnswer> {
        const own = await files.for(callerOf(request).user)
        return own.usage(target(request).path, queryOf(request, 'below') === 'true')
      },
    },
  ]
}
