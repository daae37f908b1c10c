import * as z from 'zod/mini'
import { HomeRequest } from '../../../shared/api/users.ts'
import { type Route, remark } from '../../routing/route.ts'
import { setHome } from './accounts.ts'
import { userIdIn } from './addressed-user.ts'
import type { UsersDeps } from './update.ts'
import { listHomeless } from './users.store.ts'

/** Users without a home (http-api 50). */
export const homeRoutes = (deps: UsersDeps): Route[] => [
  {
    method: 'GET',
    path: '/api/users/homeless',
    access: 'admin',
    token: 'admin',
    describes: {
      summary: 'List the users without a home',
      answers: { 200: { text: 'Their ids.', schema: z.array(z.int()) } },
    },
    handler: (): Promise<number[]> => listHomeless(deps.db),
  },
  {
    method: 'PUT',
    path: '/api/users/:id/home',
    access: 'admin',
    token: 'admin',
    records: 'user.change',
    schema: HomeRequest,
    describes: {
      summary: 'Take the home of a user, or give it back',
      answers: { 204: { text: 'It counts from now on; the folder and what is in it stay.' } },
      refuses: [404],
    },
    async handler(request, reply) {
      const { home } = request.body as HomeRequest
      const { username } = await setHome(deps, userIdIn(request), home === 'scope')
      remark(request, { target: `${username}: ${home === 'scope' ? 'has a home' : 'has no home'}` })
      return reply.code(204).send()
    },
  },
]
