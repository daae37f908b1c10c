import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreviewSize } from '../../../shared/api/previews.ts'
import { type FilePath, joinPath, nameOf, parsePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { OpenFile } from '../../files/types.ts'
import { sendArchive } from '../../responses/archive.ts'
import {
  ARCHIVE_QUERY,
  CONDITIONS,
  DOWNLOADS,
  INLINE,
  PREVIEWS,
  REFUSED_DOWNLOADS,
  REFUSED_PREVIEWS,
  VERSION_KEY,
} from '../../responses/openapi-fragments.ts'
import { sendFile } from '../../responses/send.ts'
import { callerOf, queryOf, type Route, remark, target } from '../../routing/route.ts'

export interface KeptContentDeps {
  files: FilesService
  sendPreview(
    request: FastifyRequest,
    reply: FastifyReply,
    open: () => Promise<OpenFile>,
    size: PreviewSize,
  ): Promise<FastifyReply>
}

const PATH = 'The id of a version or of a thing in the trash, and for an entry inside a folder its path from there.'

/** The contents of kept things: of versions, and of what is in the trash. */
export function keptContentRoutes(deps: KeptContentDeps): Route[] {
  return [rawRoute(deps), previewRoute(deps, 'thumb'), previewRoute(deps, 'big')]
}

function rawRoute({ files }: KeptContentDeps): Route {
  return {
    method: ['GET', 'HEAD'],
    path: '/api/kept/raw/*',
    access: 'user',
    token: 'read',
    records: 'download',
    stored: true,
    queryToken: true,
    describes: {
      summary: 'Download a version of a file, or something in the trash',
      path: PATH,
      query: { ...ARCHIVE_QUERY, inline: INLINE },
      headers: CONDITIONS,
      answers: DOWNLOADS,
      refuses: [...REFUSED_DOWNLOADS, 410, 501],
    },
    async handler(request, reply) {
      const view = await viewOf(files, request)
      remark(request, { path: view.place })
      const entry = await view.files.info(view.path)
      if (entry.kind === 'folder') return sendArchive(request, reply, view.files, entry)
      const inline = queryOf(request, 'inline') === 'true'
      if (inline) remark(request, { action: 'read' })
      return sendFile(request, reply, await view.open(), { inline })
    },
  }
}

function previewRoute({ files, sendPreview }: KeptContentDeps, size: PreviewSize): Route {
  return {
    method: ['GET', 'HEAD'],
    path: `/api/kept/preview/${size}/*`,
    access: 'user',
    token: 'read',
    records: 'nothing',
    stored: true,
    queryToken: true,
    describes: {
      summary: `Get a preview of a version, or of something in the trash, in the size ${size}`,
      path: PATH,
      query: { inline: INLINE, key: VERSION_KEY },
      headers: CONDITIONS,
      answers: PREVIEWS,
      refuses: [...REFUSED_PREVIEWS, 410],
    },
    async handler(request, reply) {
      const view = await viewOf(files, request)
      return sendPreview(request, reply, () => view.open(), size)
    },
  }
}

/** A kept thing, or an entry in it. @throws not_found, gone */
async function viewOf(service: FilesService, request: FastifyRequest) {
  const [id, ...inner] = segmentsOf(target(request).path)
  if (id === undefined) throw new AppError('not_found')
  const own = await service.for(callerOf(request).user)
  const {
    files,
    path: top,
    kept,
  } = await own.version(id).catch(thrown => {
    if (asAppError(thrown).code !== 'not_found') throw thrown
    return own.kept(id).catch(missingIfOff)
  })
  const within = inner.length === 0 ? ROOT : parsePath(inner.join('/'))
  const path = joinPath(top, within)
  const was: FilePath = joinPath(kept.path, within)
  return {
    files,
    path,
    place: joinPath(kept.place, within),
    /** With the name and the path that it had. */
    async open(): Promise<OpenFile> {
      const file = await files.open(path)
      return { ...file, entry: { ...file.entry, path: was, name: nameOf(was) } }
    },
  }
}

/** Without a trash, an id that is no version's is that of nothing. */
export function missingIfOff(thrown: unknown): never {
  throw asAppError(thrown).code === 'unsupported' ? new AppError('not_found') : thrown
}
