import type { FastifyRequest } from 'fastify'
import { type FilePath, parseEncodedPath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { etagOf } from '../../responses/conditions.ts'
import { target } from '../../routing/route.ts'
import { holds, type IfList, type IfState } from './if-header.ts'

const NOTHING: IfState = { tokens: new Set(), etag: undefined }

/** Refuses a request whose `If` header does not hold (RFC 4918 10.4). @throws AppError `precondition_failed` */
export async function demandIf(files: Files, request: FastifyRequest, lists: readonly IfList[]): Promise<void> {
  const own = target(request).path
  const prefix = `${(request.routeOptions.url ?? '').replace(/\/?\*?$/, '')}/`
  const stateOf = async (resource: string | undefined) => {
    const path = resource === undefined ? own : pathOf(resource, prefix)
    return path === undefined ? NOTHING : stateAt(files, path)
  }
  if (!(await holds(lists, stateOf))) throw new AppError('precondition_failed')
}

/** The path that a tag names: the authority is that of a proxy, perhaps. Other addresses have no state. */
function pathOf(resource: string, prefix: string): FilePath | undefined {
  const path = resource.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  if (!path.startsWith(prefix) || /[?#]/.test(path)) return undefined
  try {
    return parseEncodedPath(path.slice(prefix.length - 1))
  } catch {
    return undefined
  }
}

/** What the caller may not see has no state. */
async function stateAt(files: Files, path: FilePath): Promise<IfState> {
  try {
    const locks = await files.locks.at(path)
    const entry = await files.info(path).catch(unlessAbsent)
    const etag = entry?.kind === 'file' ? etagOf(entry.version) : undefined
    return { tokens: new Set(locks.map(({ token }) => token)), etag }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'forbidden') return NOTHING
    throw thrown
  }
}

function unlessAbsent(thrown: unknown): undefined {
  if (!(thrown instanceof AppError)) throw thrown
}
