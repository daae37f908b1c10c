import type { FastifyRequest } from 'fastify'
import type { Files } from '../files/files.ts'
import type { FilesService } from '../files/files-service.ts'
import { callerOf, queryOf } from '../routing/route.ts'

/** The query of calls that can read an earlier state. */
export const AT = { at: 'The id of a snapshot: reads the files as they were then.' } as const

/** The files of the caller, now or in the snapshot that `at` names. @throws AppError not_found, unauthorized */
export async function filesOf(files: FilesService, request: FastifyRequest): Promise<Files> {
  const own = await files.for(callerOf(request).user)
  const at = queryOf(request, 'at')
  return at === undefined ? own : own.at(at)
}
