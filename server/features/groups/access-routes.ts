import { UserAccess } from '../../../shared/api/groups.ts'
import { AppError } from '../../errors.ts'
import { callerOf, type Route } from '../../routing/route.ts'
import { readSettings } from '../settings/settings.store.ts'
import { userIdIn } from '../users/addressed-user.ts'
import { findUser } from '../users/users.store.ts'
import { actingUser } from './acting-user.ts'
import type { GroupDeps } from './groups.ts'
import { accessToWire } from './views.ts'

/** What a user may do, with the causes (http-api 29). */
export function accessRoutes({ db }: GroupDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/account/access',
      access: 'user',
      token: 'none',
      describes: {
        summary: 'Get what the caller may do, and which groups give it',
        answers: { 200: { text: 'The permissions and groups, without rules.', schema: UserAccess } },
      },
      async handler(request): Promise<UserAccess> {
        return accessToWire(await demandUser(db, callerOf(request).user.id))
      },
    },
    {
      method: 'GET',
      path: '/api/users/:id/access',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Get what a user may do, and who gives it',
        answers: { 200: { text: 'The permissions, groups and rules.', schema: UserAccess } },
        refuses: [404],
      },
      async handler(request): Promise<UserAccess> {
        const user = await demandUser(db, userIdIn(request))
        return accessToWire(user, (await readSettings(db)).rules)
      },
    },
  ]
}

/** Of a disabled account, what it may do once it is enabled. */
async function demandUser(db: GroupDeps['db'], id: number) {
  const user = await findUser(db, id)
  if (!user) throw new AppError('not_found')
  return actingUser(db, user)
}
