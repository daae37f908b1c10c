import { UsageAnswer } from '../../../shared/api/resources.ts'
import type { FilesService } from '../../files/service.ts'
import { callerOf, queryOf, type Route, target } from '../../routing/route.ts'
import { sizesRoute } from './sizes.ts'

export interface UsageDeps {
  files: FilesService
}

/** How full the store below a folder is (contract section 8). */
export function usageRoutes({ files }: UsageDeps): Route[] {
  return [
    sizesRoute(files),
    {
      method: 'GET',
      path: '/api/usage/*',
      access: 'user',
      describes: {
        summary: 'Tell how full the disk below a folder is',
        query: { below: '`true` asks what all below the folder adds up to.' },
        answers: {
          200: {
            text: 'Bytes; both are 0 for a file. `below` is there when it was asked for, an index of names knows it, and the caller may see all of it.',
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
