import type { FastifyRequest } from 'fastify'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf } from '../../routing/route.ts'

/** The caller's files, with the locks whose tokens the request submits. */
export function filesOf(files: FilesService, request: FastifyRequest): Promise<Files> {
  return files.for(callerOf(request).user, submittedTokens(request))
}

/** The state tokens in the header `If` (RFC 4918, 10.4). */
function submittedTokens({ headers }: FastifyRequest): ReadonlySet<string> {
  const tokens = String(headers.if ?? '').matchAll(/<(opaquelocktoken:[^<>\s]+)>/g)
  return new Set([...tokens].map(([, token = '']) => token))
}
