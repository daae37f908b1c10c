import type { FastifyRequest } from 'fastify'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, setTargetPath, target } from '../../routing/route.ts'
import { demandIf } from './demand-if.ts'
import { type IfList, parseIf, tokensIn } from './if-header.ts'
import { spelledPath } from './spelled-path.ts'

/**
 * The caller's files, with the locks whose tokens the request submits. From then on the target of the request is the item
 * that its path means.
 * @throws AppError `bad_request`, and `precondition_failed` when its header `If` does not hold
 */
export async function filesOf(files: FilesService, request: FastifyRequest): Promise<Files> {
  const { user } = callerOf(request)
  const lists = listsOf(request)
  const own = await (lists ? files.for(user, tokensIn(lists)) : files.for(user))
  setTargetPath(request, await spelledPath(own, target(request).path, request.headers['user-agent']))
  if (lists) await demandIf(own, request, lists)
  return own
}

/** The tokens of locks that a request submits. @throws AppError `bad_request` */
export const tokensOf = (request: FastifyRequest): ReadonlySet<string> => tokensIn(listsOf(request) ?? [])

function listsOf({ headers }: FastifyRequest): IfList[] | undefined {
  return headers.if === undefined ? undefined : parseIf(String(headers.if))
}
