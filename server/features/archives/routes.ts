import type { ArchiveIndexes } from '../../archives/read/index-cache.ts'
import type { FilesService } from '../../files/files-service.ts'
import { listArchive, sendMember } from '../../responses/archive-entries.ts'
import { LISTED_ARCHIVE, SENT_MEMBER } from '../../responses/openapi-fragments.ts'
import { callerOf, queryOf, type Route, remark, target } from '../../routing/route.ts'

export interface ArchivesDeps {
  files: FilesService
  archives: ArchiveIndexes
}

/** Lists archives and downloads single entries, for users who may read the archive. */
export function archiveRoutes({ files, archives }: ArchivesDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/archives/list/*',
      access: 'user',
      token: 'read',
      records: 'read',
      describes: { summary: 'List a folder in an archive', ...LISTED_ARCHIVE },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        return listArchive(request, reply, await own.open(target(request).path), archives)
      },
    },
    {
      method: ['GET', 'HEAD'],
      path: '/api/archives/member/*',
      access: 'user',
      token: 'read',
      records: 'download',
      stored: true,
      queryToken: true,
      describes: { summary: 'Download a file from an archive', ...SENT_MEMBER },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        if (queryOf(request, 'inline') === 'true') remark(request, { action: 'read' })
        return sendMember(request, reply, await own.open(target(request).path), archives)
      },
    },
  ]
}
