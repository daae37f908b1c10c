import type { FastifyRequest } from 'fastify'
import type { SearchAnswers } from '../../../shared/api/search.ts'
import { FORMATS, formatFor, type SeveralFormat } from '../../responses/ndjson.ts'
import { tokenInCookie } from '../auth/cookie.ts'

/** The format of search results: the one that the client accepts, else that of the host's setting. */
export function answerFormat(request: Pick<FastifyRequest, 'headers'>, answers: SearchAnswers): SeveralFormat {
  const asLines = answers === 'lines' || (answers === 'auto' && isInterface(request))
  return formatFor(request, asLines ? FORMATS.bareLines : FORMATS.array)
}

/** The web interface sends its token in the header and in the cookie; scripts send it once. */
const isInterface = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-auth'] !== undefined && tokenInCookie(headers.cookie) !== undefined
