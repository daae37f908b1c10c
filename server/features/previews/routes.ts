import { PREVIEW_SIZES, type PreviewSize } from '../../../shared/api/previews.ts'
import { segmentsOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { AT, filesOf } from '../../responses/files-of.ts'
import { CONDITIONS, INLINE, PREVIEWS, REFUSED_PREVIEWS, VERSION_KEY } from '../../responses/openapi-fragments.ts'
import { type Description, type Route, target } from '../../routing/route.ts'
import type { SendPreview } from './send.ts'

export interface PreviewsRouteDeps {
  files: FilesService
  sendPreview: SendPreview
}

/** Previews of images, or the files themselves where they are not scaled (http-api 6). */
export function previewRoutes(deps: PreviewsRouteDeps): Route[] {
  return [...PREVIEW_SIZES.map(size => previewRoute(deps, size)), unknownSize]
}

const described = (summary: string): Description => ({
  summary,
  query: { ...AT, inline: INLINE, key: VERSION_KEY },
  headers: CONDITIONS,
  answers: PREVIEWS,
  refuses: REFUSED_PREVIEWS,
})

const DESCRIPTIONS: Record<PreviewSize, Description> = {
  thumb: described('Get a small square preview of a file'),
  512: described('Get a preview of a file whose longest side has 512 pixels'),
  1024: described('Get a preview of a file whose longest side has 1024 pixels'),
  big: described('Get a preview of a file in the size of a window'),
}

function previewRoute({ files, sendPreview }: PreviewsRouteDeps, size: PreviewSize): Route {
  return {
    method: ['GET', 'HEAD'],
    path: `/api/preview/${size}/*`,
    access: 'user',
    token: 'read',
    // The previews in a listing are part of it.
    records: size === 'big' ? 'read' : 'nothing',
    stored: true,
    queryToken: true,
    describes: DESCRIPTIONS[size],
    async handler(request, reply) {
      const { path } = target(request)
      const own = await filesOf(files, request)
      return sendPreview(request, reply, () => own.open(path), size)
    },
  }
}

const unknownSize: Route = {
  method: ['GET', 'HEAD'],
  path: '/api/preview/*',
  access: 'user',
  token: 'read',
  queryToken: true,
  describes: {
    summary: 'Answer any other preview size',
    path: 'Anything that begins with another size.',
    answers: { 400: { text: 'There are only the sizes with routes of their own.' } },
  },
  async handler(request) {
    const [size = ''] = segmentsOf(target(request).path)
    if (['', ...PREVIEW_SIZES].includes(size)) throw new AppError('not_found')
    throw new AppError('bad_request', `${size.slice(0, 40)} is not a valid PreviewSize`)
  },
}
