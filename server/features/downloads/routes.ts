import { sendFile } from '../../content/send.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/service.ts'
import { callerOf, queryOf, type Route, target } from '../../route.ts'

export interface DownloadsDeps {
  files: FilesService
}

/** The bytes of one file (contract section 5). */
export function downloadRoutes({ files }: DownloadsDeps): Route[] {
  return [
    {
      method: ['GET', 'HEAD'],
      path: '/api/raw/*',
      access: 'user',
      queryToken: true,
      async handler(request, reply) {
        const { path } = target(request)
        const own = await files.for(callerOf(request).user)
        if ((await own.info(path)).kind === 'folder')
          throw new AppError('unsupported', 'folders cannot be downloaded yet')
        return sendFile(request, reply, await own.open(path), { inline: queryOf(request, 'inline') === 'true' })
      },
    },
  ]
}
