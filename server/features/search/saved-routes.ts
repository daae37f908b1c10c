import type { FastifyRequest } from 'fastify'
import { NewSearch, SavedSearch, SavedSearchList, SearchChange } from '../../../shared/api/saved-searches.ts'
import { parsePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { callerOf, parameterOf, type Route } from '../../routing/route.ts'
import { listSearches, removeSearch, renameSearch, saveSearch } from './saved.store.ts'

export interface SavedSearchDeps {
  db: Db
}

const ID = 'The id of the search.'
const userOf = (request: FastifyRequest): number => callerOf(request).user.id
/** Searches that users saved (http-api 9.1). */
export function savedSearchRoutes({ db }: SavedSearchDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/searches',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the searches that the caller saved, the oldest first',
        answers: { 200: { text: 'The searches.', schema: SavedSearchList } },
      },
      handler: async (request): Promise<SavedSearchList> => ({ items: await listSearches(db, userOf(request)) }),
    },
    {
      method: 'POST',
      path: '/api/searches',
      access: 'user',
      token: 'none',
      records: 'nothing',
      schema: NewSearch,
      describes: {
        summary: 'Save a search',
        answers: { 201: { text: 'The search.', schema: SavedSearch }, 409: { text: 'There are too many.' } },
      },
      async handler(request, reply) {
        const search = request.body as NewSearch
        const folder = parsePath(search.folder)
        return reply.code(201).send(await saveSearch(db, userOf(request), { ...search, folder }))
      },
    },
    {
      method: 'PATCH',
      path: '/api/searches/:id',
      access: 'user',
      token: 'none',
      records: 'nothing',
      schema: SearchChange,
      describes: {
        summary: 'Rename a saved search',
        path: ID,
        answers: { 200: { text: 'The search as it is now.', schema: SavedSearch } },
        refuses: [404],
      },
      handler: (request): Promise<SavedSearch> =>
        renameSearch(db, userOf(request), parameterOf(request, 'id'), (request.body as SearchChange).name),
    },
    {
      method: 'DELETE',
      path: '/api/searches/:id',
      access: 'user',
      token: 'none',
      records: 'nothing',
      describes: {
        summary: 'Remove a saved search',
        path: ID,
        answers: { 204: { text: 'It is removed.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        await removeSearch(db, userOf(request), parameterOf(request, 'id'))
        return reply.code(204).send()
      },
    },
  ]
}
