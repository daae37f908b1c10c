import type { PictureSizes } from '../../../shared/api/picture-sizes.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { ContentFacts } from '../../responses/entry-types.ts'
import { SIZED_PICTURES } from '../../responses/openapi-fragments.ts'
import { measurePictures } from '../../responses/picture-sizes.ts'
import { callerOf, type Route, target } from '../../routing/route.ts'

/** Sizes and dates of the images in a folder (http-api 6). */
export function pictureSizesRoute({ files, facts }: { files: FilesService; facts: ContentFacts }): Route {
  return {
    method: 'GET',
    path: '/api/picture-sizes/*',
    access: 'user',
    token: 'read',
    describes: { summary: 'Get the sizes and dates of images in a folder', ...SIZED_PICTURES },
    async handler(request): Promise<PictureSizes> {
      const own = await files.for(callerOf(request).user)
      const { path } = target(request)
      own.demandRead(path)
      return measurePictures(request, own, path, facts)
    },
  }
}
