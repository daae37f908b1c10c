import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Written } from '../../files/versions.ts'
import { conditionsOf, expectedVersion } from '../../responses/conditions.ts'
import { clientGone, queryOf, rawBody, remark, type Target } from '../../routing/route.ts'

/** Methods of a path that ends with a slash. */
const FOLDER_METHODS = 'DELETE, GET, PATCH, POST'

/** Uploads the body of a request, or makes a folder where the path ends with a slash (http-api 3.2). @returns the file */
export async function createAt(
  request: FastifyRequest,
  reply: FastifyReply,
  own: Files,
  { path, folder }: Target,
): Promise<Written | undefined> {
  if (folder) {
    remark(request, { action: 'folder' })
    await own.makeFolder(path)
    return undefined
  }
  const { stream, length } = rawBody(request)
  return own.write(path, stream, {
    override: queryOf(request, 'override') === 'true',
    ...conditionsOf(request),
    signal: clientGone(request, reply),
    ...(length === undefined ? {} : { length }),
  })
}

/** Folders have no content to save. @throws AppError `method_not_allowed` */
export function demandFile(reply: FastifyReply, { folder }: Pick<Target, 'folder'>): void {
  if (!folder) return
  reply.header('Allow', FOLDER_METHODS)
  throw new AppError('method_not_allowed')
}

/** Saves the body of a request into an existing file (http-api 3.3). */
export async function saveAt(
  request: FastifyRequest,
  reply: FastifyReply,
  own: Files,
  { path }: Pick<Target, 'path'>,
): Promise<Written> {
  const { stream, length } = rawBody(request)
  const ifMatch = expectedVersion(request.headers['if-match'])
  return own.save(path, stream, {
    signal: clientGone(request, reply),
    ...(length === undefined ? {} : { length }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
  })
}
