import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PREVIEW_SIZES, type PreviewSize } from '../../../shared/api/previews.ts'
import { type FilePath, segmentsOf } from '../../../shared/path.ts'
import { CONDITIONS, DOWNLOADS, INLINE, REFUSED_DOWNLOADS } from '../../content/describe.ts'
import { sendFile } from '../../content/send.ts'
import { typeOf } from '../../content/types.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import type { OpenFile } from '../../files/types.ts'
import { callerOf, clientGone, type Description, queryOf, type Route, target } from '../../route.ts'
import { RETRY_AFTER } from './limits.ts'
import type { Preview, Previews } from './previews.ts'
import { type RendererEntry, rendererFor } from './renderers/index.ts'

export interface PreviewsRouteDeps {
  files: FilesService
  previews: Previews
  config: { thumbnails: boolean; resizePreview: boolean }
}

/** Pictures made smaller, or the files themselves where that is not done (contract section 6). */
export function previewRoutes(deps: PreviewsRouteDeps): Route[] {
  return [...PREVIEW_SIZES.map(size => previewRoute(deps, size)), unknownSize]
}

const described = (summary: string): Description => ({
  summary,
  query: { inline: INLINE, key: 'Anything; for keeping versions of the same picture apart in a browser.' },
  headers: CONDITIONS,
  answers: DOWNLOADS,
  refuses: [...REFUSED_DOWNLOADS, 413, 422, 501],
})

const DESCRIPTIONS: Record<PreviewSize, Description> = {
  thumb: described('Show a picture as a small square'),
  big: described('Show a picture as large as a window'),
}

function previewRoute({ files, previews, config }: PreviewsRouteDeps, size: PreviewSize): Route {
  const isOn = size === 'thumb' ? config.thumbnails : config.resizePreview
  return {
    method: ['GET', 'HEAD'],
    path: `/api/preview/${size}/*`,
    access: 'user',
    queryToken: true,
    describes: DESCRIPTIONS[size],
    async handler(request, reply) {
      const { path } = target(request)
      const own = await files.for(callerOf(request).user)
      const file = await openImage(own, path)
      const inline = queryOf(request, 'inline') === 'true'
      const renderer = isOn ? rendererFor(file.entry.name) : undefined
      if (!renderer) return sendFile(request, reply, file, { inline })
      const preview = await makePreview(request, reply, previews, file, renderer, size)
      if (preview.kind === 'as_is') return sendFile(request, reply, file, { inline })
      await file.close()
      if (preview.kind === 'refused') throw new AppError(preview.code)
      return sendFile(request, reply, asFile(file, preview), { inline, shownAs: preview.type })
    },
  }
}

const unknownSize: Route = {
  method: ['GET', 'HEAD'],
  path: '/api/preview/*',
  access: 'user',
  queryToken: true,
  describes: {
    summary: 'Be told that there is no such size of previews',
    path: 'Anything that begins with another size.',
    answers: { 400: { text: 'There are only the sizes that have calls of their own.' } },
  },
  async handler(request) {
    const [size = ''] = segmentsOf(target(request).path)
    if (['', ...PREVIEW_SIZES].includes(size)) throw new AppError('not_found')
    throw new AppError('bad_request', `${size.slice(0, 40)} is not a valid PreviewSize`)
  },
}

/** @throws not_found, forbidden, outside_scope, special_file, and `unsupported` for what is no image */
async function openImage(files: Files, path: FilePath): Promise<OpenFile> {
  const file = await files.open(path).catch((thrown: unknown) => {
    throw thrown instanceof AppError && thrown.code === 'is_a_folder' ? new AppError('unsupported') : thrown
  })
  const type = await typeOf(file).catch(async (thrown: unknown) => {
    await file.close()
    throw thrown
  })
  if (type === 'image') return file
  await file.close()
  throw new AppError('unsupported')
}

/** The file stays open only if there is an answer. */
async function makePreview(
  request: FastifyRequest,
  reply: FastifyReply,
  previews: Previews,
  file: OpenFile,
  renderer: RendererEntry,
  size: PreviewSize,
): Promise<Preview> {
  try {
    return await previews.of(file, renderer, size, clientGone(request, reply))
  } catch (thrown) {
    await file.close()
    if (thrown instanceof AppError && thrown.code === 'unavailable') reply.header('Retry-After', RETRY_AFTER)
    throw thrown
  }
}

/** A preview as if it were a file with the name and the time of the picture. */
function asFile({ entry }: OpenFile, { bytes, version }: Extract<Preview, { kind: 'picture' }>): OpenFile {
  return {
    entry: { ...entry, size: bytes.length, version },
    stream: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
    close: async () => {},
  }
}
