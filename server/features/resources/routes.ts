import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { RecursiveItem, Resource } from '../../../shared/api/resources.ts'
import type { TrashMode } from '../../../shared/api/trash.ts'
import { joinPath, ROOT } from '../../../shared/path.ts'
import { DIGESTS } from '../../checksums/checksum.ts'
import { asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Listing } from '../../files/listing.ts'
import type { OpenFile } from '../../files/types.ts'
import { REPLACED, setWritten, trashUse, WRITE_HEADERS, WRITTEN } from '../../responses/conditions.ts'
import { STORED_CONTENT_POLICY } from '../../responses/content-headers.ts'
import type { ContentFacts } from '../../responses/entry-types.ts'
import { AT, filesOf } from '../../responses/files-of.ts'
import { sendListing } from '../../responses/listing.ts'
import { SEVERAL } from '../../responses/ndjson.ts'
import { LISTED } from '../../responses/openapi-fragments.ts'
import {
  callerOf,
  clientGone,
  queryOf,
  type Route,
  remark,
  sendStatus,
  type Target,
  target,
} from '../../routing/route.ts'
import { openText, readChecksum, readFile } from './read.ts'
import { isRealName, RECURSIVE, sendRecursively } from './recursive.ts'
import { transfer, transferQuery } from './transfer.ts'
import { createAt, demandFile, saveAt } from './write.ts'

export interface ResourcesDeps {
  files: FilesService
  facts: ContentFacts
  config: { trash: TrashMode }
}

/** Browse, create, upload, save, copy, move and delete (http-api 3). */
export function resourceRoutes({ files, facts, config }: ResourcesDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/resources/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List a folder, or get a file',
        query: { ...AT, checksum: { text: 'Adds the checksum of a file instead of its content.', of: DIGESTS } },
        headers: { ...LISTED.headers, 'X-Encoding': '`true` requests the bytes of a text instead of JSON.' },
        answers: {
          200: {
            text: `The folder or the file; the bytes of a text if requested. ${LISTED.rows}`,
            type: [...LISTED.type, 'application/octet-stream'],
            headers: LISTED.version,
            schema: Resource,
          },
          ...LISTED.unchanged,
        },
      },
      async handler(request, reply) {
        const asked = target(request)
        const own = await filesOf(files, request)
        if (asked.path !== RECURSIVE || (await isRealName(own))) return sendResource(request, reply, own, asked, facts)
        return sendRecursively(request, reply, own, ROOT)
      },
    },
    {
      method: 'GET',
      path: '/api/resources/recursive/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List everything below a folder',
        headers: { Accept: SEVERAL.accept },
        answers: {
          200: {
            text: `One flat list, depth first; or the entry itself if one is called \`recursive\`. ${SEVERAL.unread}`,
            type: SEVERAL.type,
            schema: z.union([z.array(RecursiveItem), Resource]),
          },
        },
      },
      async handler(request, reply) {
        const { path, folder } = target(request)
        const own = await files.for(callerOf(request).user)
        if (await isRealName(own)) {
          return sendResource(request, reply, own, { path: joinPath(RECURSIVE, path), folder }, facts)
        }
        return sendRecursively(request, reply, own, path)
      },
    },
    {
      method: 'POST',
      path: '/api/resources/*',
      access: 'user',
      token: 'write',
      records: 'upload',
      body: 'raw',
      describes: {
        summary: 'Upload a file, or create a folder where the path ends with a slash',
        query: { override: { text: '`true` replaces an existing file.', type: 'boolean' } },
        headers: WRITE_HEADERS,
        answers: {
          200: { text: 'The file is stored, or the folder exists.', headers: WRITTEN },
        },
        refuses: [409, 412, 507],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const entry = await createAt(request, reply, own, target(request))
        return sendStatus(entry ? setWritten(reply, entry) : reply, 200)
      },
    },
    {
      method: 'PUT',
      path: '/api/resources/*',
      access: 'user',
      token: 'write',
      records: 'save',
      body: 'raw',
      describes: {
        summary: 'Save an existing file',
        headers: { 'If-Match': 'The version that may be replaced.' },
        answers: {
          200: { text: 'The file was saved.', headers: WRITTEN },
          405: { text: 'The path ends with a slash, and folders have no content.' },
        },
        refuses: [409, 412, 507],
      },
      async handler(request, reply) {
        const asked = target(request)
        demandFile(reply, asked)
        const own = await files.for(callerOf(request).user)
        return sendStatus(setWritten(reply, await saveAt(request, reply, own, asked)), 200)
      },
    },
    {
      method: 'PATCH',
      path: '/api/resources/*',
      access: 'user',
      token: 'write',
      records: 'move',
      describes: {
        summary: 'Copy or move a file or a folder',
        query: {
          action: { text: 'What to do.', required: true, of: ['copy', 'rename'] },
          destination: { text: 'The new path, percent-encoded once more than the query is.', required: true },
          override: { text: '`true` replaces what exists there.', type: 'boolean' },
          rename: { text: '`true` chooses another name when one is taken.', type: 'boolean' },
        },
        answers: { 200: { text: 'The copy or move is done.', headers: REPLACED } },
        refuses: [409, 507],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const query = transferQuery(request)
        remark(request, { goal: query.destination, ...(query.action === 'copy' ? { action: 'copy' } : {}) })
        const kept = await transfer(own, target(request).path, query)
        return sendStatus(kept === undefined ? reply : reply.header('X-Kept', kept), 200)
      },
    },
    {
      method: 'DELETE',
      path: '/api/resources/*',
      access: 'user',
      token: 'write',
      records: 'delete',
      describes: {
        summary: 'Delete a file, or a folder with everything in it',
        query: { permanent: { text: '`true` deletes for good instead of moving to the trash.', type: 'boolean' } },
        headers: {
          'X-Trash': '`1` moves to the trash where the host leaves that to clients, and deletes nothing for good.',
        },
        answers: {
          204: { text: 'It is deleted.', headers: { 'X-Kept': 'The id of the thing in the trash, if it is there.' } },
        },
        refuses: [409],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const permanent = queryOf(request, 'permanent') === 'true'
        const kept = await own.remove(target(request).path, { permanent, ...trashUse(request, config.trash) })
        if (kept !== undefined) reply.header('X-Kept', kept)
        else if (own.trash.isOn) remark(request, { action: 'purge', facts: { trashed: false } })
        return reply.code(204).send()
      },
    },
  ]
}

/** One folder or file in the form that the request's query and headers ask for (http-api 3.1). */
async function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  own: Files,
  { path, folder }: Target,
  facts: ContentFacts,
) {
  const { sorting } = callerOf(request).user
  // Clients compare the path with that of their request, slash included (http-api 3.1).
  const more = folder && path !== ROOT ? { path: `${path}/` } : {}
  const send = (listing: Listing) =>
    sendListing(request, reply, listing, { sorting, typesOf: facts.typesIn(own, path), more })
  const listing = folder ? await unlessFile(own.listing(path, sorting)) : undefined
  if (listing) return send(listing)
  const entry = await own.info(path)
  if (entry.kind === 'folder') return send(await own.listing(path, sorting))
  remark(request, { action: 'read' })
  if (request.headers['x-encoding'] === 'true') {
    const file = await openText(own, entry)
    if (file) return sendBytes(reply, file)
  }
  const checksum = queryOf(request, 'checksum') ?? ''
  const resource = await (checksum === ''
    ? readFile(own, entry, facts)
    : readChecksum(own, entry, checksum, clientGone(request, reply)))
  return { ...resource, ...more }
}

/** A path that ends with a slash may also be a file. */
function unlessFile(listing: Promise<Listing>): Promise<Listing | undefined> {
  return listing.catch((thrown: unknown) => {
    if (asAppError(thrown).code !== 'not_a_folder') throw thrown
    return undefined
  })
}

function sendBytes(reply: FastifyReply, file: OpenFile): FastifyReply {
  reply.type('application/octet-stream').header('Content-Security-Policy', STORED_CONTENT_POLICY)
  const body = file.entry.size === 0 ? Readable.from([]) : file.stream()
  return reply.header('Content-Length', file.entry.size).send(body.once('close', () => void file.close()))
}
