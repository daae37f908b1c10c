import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { joinPath, ROOT } from '../../../shared/path.ts'
import { STORED_CONTENT_POLICY } from '../../content/stored.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import type { OpenFile } from '../../files/types.ts'
import { callerOf, clientGone, queryOf, type Route, rawBody, sendStatus, type Target, target } from '../../route.ts'
import { openText, readChecksum, readFile, readFolder } from './read.ts'
import { isRealName, listRecursively, RECURSIVE } from './recursive.ts'
import { transfer, transferQuery } from './transfer.ts'

/** What an address that ends with a slash takes. */
const FOLDER_METHODS = 'DELETE, GET, PATCH, POST'

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
      async handler(request, reply) {
        const { user } = callerOf(request)
        const asked = target(request)
        const own = await files.for(user)
        if (asked.path !== RECURSIVE || (await isRealName(own))) return sendResource(request, reply, own, asked)
        return sendJson(reply, await listRecursively(own, ROOT, clientGone(request, reply)))
      },
    },
    {
      method: 'GET',
      path: '/api/resources/recursive/*',
      access: 'user',
      async handler(request, reply) {
        const { path, folder } = target(request)
        const own = await files.for(callerOf(request).user)
        if (await isRealName(own)) {
          return sendResource(request, reply, own, { path: joinPath(RECURSIVE, path), folder })
        }
        return sendJson(reply, await listRecursively(own, path, clientGone(request, reply)))
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
        if (folder) return sendStatus(reply.header('Allow', FOLDER_METHODS), 405)
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

/** One folder or file as the request's query and headers want it (contract 3.1). */
async function sendResource(request: FastifyRequest, reply: FastifyReply, own: Files, { path, folder }: Target) {
  const entry = await own.info(path)
  const isFolder = entry.kind === 'folder'
  if (!isFolder && request.headers['x-encoding'] === 'true') {
    const file = await openText(own, entry)
    if (file) return sendBytes(reply, file)
  }
  const checksum = queryOf(request, 'checksum')
  const resource = await (isFolder
    ? readFolder(own, path, callerOf(request).user)
    : checksum === undefined || checksum === ''
      ? readFile(own, entry)
      : readChecksum(own, entry, checksum))
  // Clients compare the path with the one they asked for, slash and all (contract 3.1).
  return folder && path !== ROOT ? { ...resource, path: `${path}/` } : resource
}

function sendBytes(reply: FastifyReply, file: OpenFile): FastifyReply {
  reply.type('application/octet-stream').header('Content-Security-Policy', STORED_CONTENT_POLICY)
  const body = file.entry.size === 0 ? Readable.from([]) : file.stream()
  return reply.header('Content-Length', file.entry.size).send(body.once('close', () => void file.close()))
}

const sendJson = (reply: FastifyReply, body: Readable) => reply.type('application/json; charset=utf-8').send(body)

/** The version an `If-Match` header names; several or weak ones match nothing we could have handed out. */
function expectedVersion(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return /^"([^"]*)"$/.exec(header.trim())?.[1] ?? ''
}
