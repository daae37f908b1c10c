import { ActivityPage } from '../../../shared/api/activity.ts'
import { CHANGES_PAGE } from '../../../shared/api/changes.ts'
import type { FilesService } from '../../files/files-service.ts'
import { callerOf, queryOf, type Route, target } from '../../routing/route.ts'
import { FILTERS, filterOf } from './filters.ts'
import { type Lifetimes, presentActivity } from './view.ts'

interface ActivityDeps {
  files: FilesService
  config: Lifetimes
}

/** The timeline of a file or folder. */
export const activityRoute = ({ files, config }: ActivityDeps): Route => ({
  method: 'GET',
  path: '/api/activity/*',
  access: 'user',
  token: 'read',
  describes: {
    summary: 'List what was changed in a file or folder, the newest first',
    query: {
      ...FILTERS,
      mine: { text: '`true` lists only the caller’s.', type: 'boolean' },
      before: 'The `next` of the page before.',
    },
    answers: {
      200: {
        text: `Up to ${CHANGES_PAGE} changes: of a file under all its names, of a folder with what is in it.`,
        schema: ActivityPage,
      },
    },
    refuses: [403, 404, 501],
  },
  async handler(request): Promise<ActivityPage> {
    const own = await files.for(callerOf(request).user)
    const wanted = { ...filterOf(request), mine: queryOf(request, 'mine') === 'true' }
    const { items, next } = await own.activity.list(target(request).path, wanted, CHANGES_PAGE)
    return { items: items.map(item => presentActivity(item, config)), ...(next !== undefined && { next }) }
  },
})
