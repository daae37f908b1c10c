import type { FilesService } from '../../files/service.ts'
import { callerOf, clientGone, queryOf, type Route, target } from '../../route.ts'
import { find } from './find.ts'
import { parseQuery } from './query.ts'
import { FORMATS, streamHits } from './stream.ts'

export interface SearchDeps {
  files: FilesService
}

/** Names below a folder (contract section 9). */
export function searchRoutes({ files }: SearchDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/search/*',
      access: 'user',
      async handler(request, reply) {
        const matches = parseQuery(queryOf(request, 'query') ?? '')
        const own = await files.for(callerOf(request).user)
        const signal = clientGone(request, reply)
        const hits = await find(own, target(request).path, matches, signal)
        const wantsLines = request.headers.accept?.includes('application/x-ndjson') ?? false
        const format = wantsLines ? FORMATS.lines : FORMATS.array
        return reply.type(format.type).send(streamHits(hits, format, signal))
      },
    },
  ]
}
