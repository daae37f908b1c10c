import type { FastifyRequest } from 'fastify'
import { type FilePath, parseEncodedPath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { KeptContents } from '../../responses/conditions.ts'
import { queryOf } from '../../routing/route.ts'

/** The parsed query of a PATCH (http-api 3.5). */
export interface TransferQuery {
  action: string
  destination: FilePath
  override: boolean
  rename: boolean
}

/**
 * Parses the query of a PATCH. The destination is decoded a second time after the query's own decoding, where a `+` is
 * a space: clients encode it twice. The result of both counts.
 * @throws PathError, AppError `bad_request` without a destination
 */
export function transferQuery(request: FastifyRequest): TransferQuery {
  const destination = queryOf(request, 'destination')
  if (destination === undefined || destination === '') throw new AppError('bad_request', 'destination: is missing')
  return {
    action: queryOf(request, 'action') ?? '',
    destination: parseEncodedPath(destination.replaceAll('+', '%20')),
    override: queryOf(request, 'override') === 'true',
    rename: queryOf(request, 'rename') === 'true',
  }
}

/**
 * Copies or moves. @returns what became of what it replaced, for `X-Kept`
 * @throws AppError `bad_request` for another action
 */
export async function transfer(
  files: Files,
  from: FilePath,
  { action, destination, ...query }: TransferQuery,
): Promise<string | undefined> {
  const kept = new KeptContents()
  const how = { ...query, kept: kept.add }
  if (action === 'copy') await files.transfers.copy(from, destination, how)
  else if (action === 'rename') await files.transfers.move(from, destination, how)
  else throw new AppError('bad_request', `unsupported action '${action.slice(0, 40)}': invalid request params`)
  return kept.value
}
