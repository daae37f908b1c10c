import { SIZES_NAMED, SizesAnswer } from '../../../shared/api/sizes.ts'
import type { FilesService } from '../../files/service.ts'
import { callerOf, clientGone, type Route, target } from '../../routing/route.ts'

/** What takes the room in a folder, as far as the caller may see it. */
export function sizesRoute(files: FilesService): Route {
  return {
    method: 'GET',
    path: '/api/sizes/*',
    access: 'user',
    describes: {
      summary: 'Tell what takes the room in a folder',
      answers: {
        200: {
          text: `The folder's sums and its largest things, no more than ${SIZES_NAMED}. They come from the index of names, which is begun if there is none yet: \`partial\` until it has looked at everything, \`none\` where the host keeps none.`,
          schema: SizesAnswer,
        },
      },
    },
    async handler(request, reply): Promise<SizesAnswer> {
      const own = await files.for(callerOf(request).user)
      const { state, total, count, items } = await own.sizes(
        target(request).path,
        SIZES_NAMED,
        clientGone(request, reply),
      )
      const { unread, ...sum } = total
      return { state, ...sum, unread, count, items: items.map(({ isFolder: isDir, ...item }) => ({ ...item, isDir })) }
    },
  }
}
