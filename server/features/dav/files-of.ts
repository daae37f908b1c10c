import type { FastifyRequest } from 'fastify'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf } from '../../routing/route.ts'
import { demandIf } from './demand-if.ts'
import { parseIf, tokensIn } from './if-header.ts'

/**
 * The caller's files, with the locks whose tokens the request submits.
 * @throws AppError `bad_request`, and `precondition_failed` when its header `If` does not hold
 */
export async function filesOf(files: FilesService, request: FastifyRequest): Promise<Files> {
  const { user } = callerOf(request)
  const header = request.headers.if
  if (header === undefined) return files.for(user)
  const lists = parseIf(String(header))
  const own = await files.for(user, tokensIn(lists))
  await demandIf(own, request, lists)
  return own
}
