import type { FastifyRequest } from 'fastify'
import { type FilePath, parseEncodedPath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
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

/** Copies or moves. @throws AppError `bad_request` for another action */
export async function transfer(files: Files, from: FilePath, query: TransferQuery): Promise<void> {
  if (query.action === 'copy') await files.transfers.copy(from, query.destination, query)
  else if (query.action === 'rename') await files.transfers.move(from, query.destination, query)
  else throw new AppError('bad_request', `unsupported action '${query.action.slice(0, 40)}': invalid request params`)
}
