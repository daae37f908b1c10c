import type { FilesService } from '../../files/files-service.ts'
import { AT, filesOf } from '../../responses/files-of.ts'
import { SENT_DOCUMENT } from '../../responses/openapi-fragments.ts'
import { type Route, target } from '../../routing/route.ts'
import type { SendDocument } from './send.ts'

export interface DocumentRoutesDeps {
  files: FilesService
  sendDocument: SendDocument
}

/** Office documents as PDF (http-api 44). */
export function documentRoutes({ files, sendDocument }: DocumentRoutesDeps): Route[] {
  return [
    {
      method: ['GET', 'HEAD'],
      path: '/api/paper/*',
      access: 'user',
      token: 'read',
      records: 'read',
      stored: true,
      queryToken: true,
      describes: {
        ...SENT_DOCUMENT,
        summary: 'Get an office document as PDF',
        query: { ...AT, ...SENT_DOCUMENT.query },
      },
      async handler(request, reply) {
        const { path } = target(request)
        const own = await filesOf(files, request)
        return sendDocument(request, reply, () => own.open(path))
      },
    },
  ]
}
