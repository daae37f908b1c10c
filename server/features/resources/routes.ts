import { ROOT } from '../../../shared/path.ts'
import type { FilesService } from '../../files/service.ts'
import { callerOf, clientGone, queryOf, type Route, rawBody, sendStatus, target } from '../../route.ts'
import { readFile, readFolder } from './read.ts'
import { transfer, transferQuery } from './transfer.ts'

export interface ResourcesDeps {
  files: FilesService
}

/** Browse, create, upload, save, copy, move and delete (contract section 3). */
export function resourceRoutes({ files }: ResourcesDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/resources/*',
      access: 'user',
      async handler(request) {
        const { user } = callerOf(request)
        const { path, folder } = target(request)
        const own = await files.for(user)
        const entry = await own.info(path)
        const resource = await (entry.kind === 'folder' ? readFolder(own, path, user) : readFile(own, entry))
        // Clients compare the path with the one they asked for, slash and all (contract 3.1).
        return folder && path !== ROOT ? { ...resource, path: `${path}/` } : resource
      },
    },
    {
      method: 'POST',
      path: '/api/resources/*',
      access: 'user',
      body: 'raw',
      async handler(request, reply) {
        const { path, folder } = target(request)
        const own = await files.for(callerOf(request).user)
        if (folder) {
          await own.makeFolder(path)
          return sendStatus(reply, 200)
        }
        const { stream, length } = rawBody(request)
        const entry = await own.write(path, stream, {
          override: queryOf(request, 'override') === 'true',
          signal: clientGone(request, reply),
          ...(length === undefined ? {} : { length }),
        })
        reply.header('ETag', `"${entry.version}"`)
        return sendStatus(reply, 200)
      },
    },
    {
      method: 'PUT',
      path: '/api/resources/*',
      access: 'user',
      body: 'raw',
      async handler(request, reply) {
        const { path, folder } = target(request)
        if (folder) return sendStatus(reply, 405)
        const own = await files.for(callerOf(request).user)
        const { stream, length } = rawBody(request)
        const ifMatch = expectedVersion(request.headers['if-match'])
        const entry = await own.save(path, stream, {
          signal: clientGone(request, reply),
          ...(length === undefined ? {} : { length }),
          ...(ifMatch === undefined ? {} : { ifMatch }),
        })
        return sendStatus(reply.header('ETag', `"${entry.version}"`), 200)
      },
    },
    {
      method: 'PATCH',
      path: '/api/resources/*',
      access: 'user',
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        await transfer(own, target(request).path, transferQuery(request))
        return sendStatus(reply, 200)
      },
    },
    {
      method: 'DELETE',
      path: '/api/resources/*',
      access: 'user',
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        await own.remove(target(request).path)
        return reply.code(204).send()
      },
    },
  ]
}

/** The version an `If-Match` header names; several or weak ones match nothing we could have handed out. */
function expectedVersion(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return /^"([^"]*)"$/.exec(header.trim())?.[1] ?? ''
}
