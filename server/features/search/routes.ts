import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { CONTENT_STATE_HEADER, type SearchAnswers, SearchHit } from '../../../shared/api/search.ts'
import { MAX_QUERY_LENGTH } from '../../../shared/search-limits.ts'
import type { FilesService } from '../../files/files-service.ts'
import { FORMATS, formatFor, reportUnread, SEVERAL, type SeveralFormat } from '../../responses/ndjson.ts'
import { streamItems } from '../../responses/stream-items.ts'
import { callerOf, clientGone, queryOf, type Route, target } from '../../routing/route.ts'
import { tokenInCookie } from '../auth/cookie.ts'
import { find } from './find.ts'
import { parseQuery } from './query.ts'

export interface SearchDeps {
  files: FilesService
  config: { searchAnswers: SearchAnswers }
}

/** Search in names and contents below a folder (http-api 9). */
export function searchRoutes({ files, config }: SearchDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/search/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Search names and contents below a folder',
        query: {
          query: `Words, one of which must be in a name; a phrase in quotes; \`type:image\`, \`type:pdf\`, \`case:sensitive\`; \`content:word\` and \`content:"two words"\` for the text of files; \`size:>10MB\`, \`size:1MB..10MB\`; \`modified:week\`, \`modified:2026-03-01..2026-03-31\`; \`tag:name\`; \`note:word\`. No longer than ${MAX_QUERY_LENGTH} characters.`,
          details: {
            text: '`true` adds `size` and `modified` to each hit, and leaves out what is gone.',
            type: 'boolean',
          },
        },
        headers: { Accept: `${SEVERAL.accept} Without a type the host’s setting \`searchAnswers\` decides.` },
        answers: {
          200: {
            text: `The hits, sent as they are found. ${SEVERAL.unread} For contents, the header \`${CONTENT_STATE_HEADER}\` says whether all files are indexed: \`complete\`, \`building\` or \`limited\`.`,
            type: SEVERAL.type,
            schema: z.array(SearchHit),
          },
        },
      },
      async handler(request, reply) {
        const query = parseQuery(queryOf(request, 'query') ?? '')
        const own = await files.for(callerOf(request).user)
        const signal = clientGone(request, reply)
        const search = await find(own, target(request).path, query, {
          details: queryOf(request, 'details') === 'true',
          signal,
        })
        const format = answerFormat(request, config.searchAnswers)
        if (search.contents) reply.header(CONTENT_STATE_HEADER, search.contents)
        if (search.count) reportUnread(request, reply, search.count)
        return reply.type(format.type).send(streamItems(search, format, signal))
      },
    },
  ]
}

/** The format of search results: the one that the client accepts, else that of the host's setting. */
function answerFormat(request: Pick<FastifyRequest, 'headers'>, answers: SearchAnswers): SeveralFormat {
  const asLines = answers === 'lines' || (answers === 'auto' && isInterface(request))
  return formatFor(request, asLines ? FORMATS.bareLines : FORMATS.array)
}

/** The web interface sends its token in the header and in the cookie; scripts send it once. */
const isInterface = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-auth'] !== undefined && tokenInCookie(headers.cookie) !== undefined
