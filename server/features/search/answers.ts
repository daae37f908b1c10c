import type { FastifyRequest } from 'fastify'
import type { SearchAnswers } from '../../../shared/api/search.ts'
import { FORMATS, formatFor, type SeveralFormat } from '../../content/several.ts'
import { tokenInCookie } from '../auth/cookie.ts'

/** The form of a search's answer: the one that the client names, else the one that the host sets. */
export function answerFormat(request: Pick<FastifyRequest, 'headers'>, answers: SearchAnswers): SeveralFormat {
  const asLines = answers === 'lines' || (answers === 'auto' && isInterface(request))
  return formatFor(request, asLines ? FORMATS.bareLines : FORMATS.array)
}

/** File Browser's interface brings its token in a header, and its browser in a cookie; scripts bring it once. */
const isInterface = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['x-auth'] !== undefined && tokenInCookie(headers.cookie) !== undefined
