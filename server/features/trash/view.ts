import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import type { KeptItem } from '../../../shared/api/trash.ts'
import { type FilePath, joinPath, nameOf, parsePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Listing } from '../../files/listing.ts'
import type { SeenKept } from '../../files/trash.ts'
import type { Entry } from '../../files/types.ts'
import { sendArchive } from '../../responses/archive.ts'
import { sendListing } from '../../responses/listing.ts'
import {
  ARCHIVE_QUERY,
  CONDITIONS,
  DOWNLOADS,
  INLINE,
  LISTED,
  REFUSED_DOWNLOADS,
} from '../../responses/openapi-fragments.ts'
import { sendFile } from '../../responses/send.ts'
import { kindOfEntry, presentItem, rfc3339 } from '../../responses/serializers.ts'
import { callerOf, queryOf, type Route, remark, target } from '../../routing/route.ts'

export interface KeptViewDeps {
  files: FilesService
  config: { trashDays: number }
}

const DAY = 86_400_000

const PATH = 'The id of a thing in the trash, and for an entry inside a folder its path from there.'

/** Looks into the trash: paths in answers are those that the things had. */
export function keptViewRoutes({ files, config }: KeptViewDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/trash/items/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List a folder in the trash, or describe a file in it',
        path: PATH,
        headers: LISTED.headers,
        answers: {
          200: {
            text: 'The folder or the file; for a thing that is a file also the thing itself, in `kept`.',
            type: LISTED.type,
            headers: LISTED.version,
            schema: z.union([FolderResource, ResourceItem]),
          },
          ...LISTED.unchanged,
        },
        refuses: [403, 404, 501],
      },
      async handler(request, reply) {
        const view = await viewOf(files, request)
        const entry = await view.files.info(view.path)
        const kept = presentKept(view.kept, config.trashDays)
        if (entry.kind !== 'folder') return { ...presentItem(view.asItWas(entry)), kept }
        return sendFolder(request, reply, view)
      },
    },
    {
      method: ['GET', 'HEAD'],
      path: '/api/trash/raw/*',
      access: 'user',
      token: 'read',
      records: 'download',
      stored: true,
      queryToken: true,
      describes: {
        summary: 'Download from the trash: a file, or a folder as an archive',
        path: PATH,
        query: { ...ARCHIVE_QUERY, inline: INLINE },
        headers: CONDITIONS,
        answers: DOWNLOADS,
        refuses: [...REFUSED_DOWNLOADS, 501],
      },
      async handler(request, reply) {
        const view = await viewOf(files, request)
        remark(request, { path: view.place })
        const entry = await view.files.info(view.path)
        if (entry.kind === 'folder') return sendArchive(request, reply, view.files, entry)
        const inline = queryOf(request, 'inline') === 'true'
        if (inline) remark(request, { action: 'read' })
        const file = await view.files.open(view.path)
        return sendFile(request, reply, { ...file, entry: view.asItWas(file.entry) }, { inline })
      },
    },
  ]
}

interface View {
  files: Files
  kept: SeenKept
  /** In `files`. */
  path: FilePath
  /** In the served root, for the audit log. */
  place: FilePath
  /** The entry with the path that it had. */
  asItWas(entry: Entry): Entry
}

/** @throws not_found */
async function viewOf(service: FilesService, request: FastifyRequest): Promise<View> {
  const [id, ...inner] = segmentsOf(target(request).path)
  if (id === undefined) throw new AppError('not_found')
  const own = await service.for(callerOf(request).user)
  const { files, path: top, kept } = await own.kept(id)
  const within = inner.length === 0 ? ROOT : parsePath(inner.join('/'))
  const asItWas = (entry: Entry): Entry => {
    const path = joinPath(kept.path, (entry.path.slice(top.length) || '/') as FilePath)
    // A copy would lose fields that a listing computes when they are read.
    return Object.create(entry, {
      path: { value: path, enumerable: true },
      name: { value: nameOf(path), enumerable: true },
    })
  }
  return { files, kept, path: joinPath(top, within), place: joinPath(kept.place, within), asItWas }
}

async function sendFolder(request: FastifyRequest, reply: FastifyReply, { files, path, asItWas }: View) {
  const { sorting } = callerOf(request).user
  const listing = await files.listing(path, sorting)
  const entries = async function* () {
    for await (const batch of listing.entries) yield batch.map(asItWas)
  }
  const shown: Listing = {
    ...listing,
    folder: asItWas(listing.folder),
    entries: entries(),
    close: () => listing.close(),
  }
  return sendListing(request, reply, shown, { sorting, typesOf: async some => some.map(kindOfEntry) })
}

/** A thing in the trash as in the API. @param days after which it expires; 0 for no limit */
export function presentKept(
  { id, path, isFolder, size, modified, deletedAt, username, isOwn, isForeign }: SeenKept,
  days: number,
): KeptItem {
  return {
    id,
    name: nameOf(path),
    path,
    isDir: isFolder,
    size,
    modified: rfc3339(modified),
    deleted: rfc3339(deletedAt),
    ...(days === 0 || isForeign ? {} : { until: rfc3339(deletedAt + days * DAY) }),
    by: username,
    mine: isOwn,
    ...(isForeign && { outside: true }),
  }
}
