import type { FastifyRequest } from 'fastify'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, setTargetPath, target } from '../../routing/route.ts'
import { demandIf } from './demand-if.ts'
import { parseIf, tokensIn } from './if-header.ts'
import { spelledPath } from './spelled-path.ts'

/**
 * The caller's files, with the locks whose tokens the request submits. From then on the target of the request is the item
 * that its path means.
 * @throws AppError `bad_request`, and `precondition_failed` when its header `If` does not hold
 */
export async function filesOf(files: FilesService, request: FastifyRequest): Promise<Files> {
  const { user } = callerOf(request)
  const header = request.headers.if
  const lists = header === undefined ? undefined : parseIf(String(header))
  const own = await (lists ? files.for(user, tokensIn(lists)) : files.for(user))
  setTargetPath(request, await spelledPath(own, target(request).path, request.headers['user-agent']))
  if (lists) await demandIf(own, request, lists)
  return own
}
