import type { FastifyRequest } from 'fastify'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Files } from '../../files/files.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { callerOf } from '../../routing/route.ts'

/** Where an item of the caller lies, as the audit log names it. */
export function auditedPlace(request: FastifyRequest, own: Files, path: FilePath): FilePath {
  const found = own.placeOf(path)
  return isInOtherRoot(found) ? found : joinPath(scopeFolder(callerOf(request).user.scope), path)
}
