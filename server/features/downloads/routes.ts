import type { FilesService } from '../../files/files-service.ts'
import { sendArchive } from '../../responses/archive.ts'
import { AT, filesOf } from '../../responses/files-of.ts'
import { ARCHIVE_QUERY, CONDITIONS, DOWNLOADS, INLINE, REFUSED_DOWNLOADS } from '../../responses/openapi-fragments.ts'
import { sendFile } from '../../responses/send.ts'
import { queryOf, type Route, remark, target } from '../../routing/route.ts'

export interface DownloadsDeps {
  files: FilesService
}

/** The bytes of a file, or of a folder or some of its items as an archive (http-api 5). */
export function downloadRoutes({ files }: DownloadsDeps): Route[] {
  return [
    {
      method: ['GET', 'HEAD'],
      path: '/api/raw/*',
      access: 'user',
      token: 'read',
      records: 'download',
      stored: true,
      queryToken: true,
      describes: {
        summary: 'Download a file, or a folder as an archive',
        query: { ...AT, ...ARCHIVE_QUERY, inline: INLINE },
        headers: CONDITIONS,
        answers: DOWNLOADS,
        refuses: REFUSED_DOWNLOADS,
      },
      async handler(request, reply) {
        const { path } = target(request)
        const own = await filesOf(files, request)
        const entry = await own.info(path)
        if (entry.kind === 'folder') return sendArchive(request, reply, own, entry)
        const inline = queryOf(request, 'inline') === 'true'
        if (inline) remark(request, { action: 'read' })
        return sendFile(request, reply, await own.open(path), { inline })
      },
    },
  ]
}
