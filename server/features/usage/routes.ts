import { UsageAnswer } from '../../../shared/api/resources.ts'
import type { FilesService } from '../../files/service.ts'
import { callerOf, type Route, target } from '../../route.ts'

export interface UsageDeps {
  files: FilesService
}

/** How full the store below a folder is (contract section 8). */
export function usageRoutes({ files }: UsageDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/usage/*',
      access: 'user',
      describes: {
        summary: 'Tell how full the disk below a folder is',
        answers: { 200: { text: 'Bytes; both are 0 for a file.', schema: UsageAnswer } },
      },
      async handler(request): Promise<UsageAnswer> {
        const own = await files.for(callerOf(request).user)
        return own.usage(target(request).path)
      },
    },
  ]
}
