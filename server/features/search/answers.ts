import type { FastifyRequest } from 'fastify'
import type { SearchAnswers } from '../../../shared/api/search.ts'
import { FORMATS, formatFor, type SeveralFormat } from '../../responses/ndjson.ts'
import { tokenInCookie } from '../auth/cookie.ts'

/** The form of search results: the one that the client names, else the one of the host's setting. */
export function answerFormat(request: Pick<FastifyRequest, 'headers'>, answers: SearchAnswers): SeveralFormat {
  const asLines = answers === 'lines' || (answers === 'auto' && isInterface(request))
  return formatFor(request, asLines ? FORMATS.bareLines : FORMATS.array)
}

/** An interface in a browser sends its token in the header and in the cookie; scripts send it once. */
const isInterface = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-auth'] !== undefined && tokenInCookie(headers.cookie) !== undefined
