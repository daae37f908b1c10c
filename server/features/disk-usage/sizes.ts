import { FOLDERS_SIZED, SIZES_NAMED, SizesAnswer } from '../../../shared/api/sizes.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, clientGone, queryOf, type Route, target } from '../../routing/route.ts'

/** What takes the space in a folder, as far as the caller may see it. */
export function sizesRoute(files: FilesService): Route {
  return {
    method: 'GET',
    path: '/api/sizes/*',
    access: 'user',
    token: 'read',
    describes: {
      summary: 'List the largest items of a folder',
      query: {
        folders: {
          text: `\`true\` names only folders, at most ${FOLDERS_SIZED}, and starts no index: \`none\` where there is none, or where rules hide something from the caller.`,
          type: 'boolean',
        },
      },
      answers: {
        200: {
          text: `The folder's totals and its largest items, at most ${SIZES_NAMED}. They come from the search index, which is started if there is none: \`partial\` until it is complete, \`none\` where the host keeps no index.`,
          schema: SizesAnswer,
        },
      },
    },
    async handler(request, reply): Promise<SizesAnswer> {
      const own = await files.for(callerOf(request).user)
      const { state, total, count, items } = await own.sizes(
        target(request).path,
        queryOf(request, 'folders') === 'true' ? { most: FOLDERS_SIZED, onlyFolders: true } : { most: SIZES_NAMED },
        clientGone(request, reply),
      )
      const { unread, ...sum } = total
      return { state, ...sum, unread, count, items: items.map(({ isFolder: isDir, ...item }) => ({ ...item, isDir })) }
    },
  }
}
