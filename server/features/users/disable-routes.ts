import * as z from 'zod/mini'
import { DisabledUser, DisableRequest } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import { disableUser } from './accounts.ts'
import { userIdIn } from './addressed-user.ts'
import { checkPasswordOf } from './confirm-password.ts'
import type { UsersDeps } from './update.ts'
import { listDisabled } from './users.store.ts'

/** Accounts that are disabled (http-api 49). */
export const disableRoutes = (deps: UsersDeps): Route[] => [
  {
    method: 'GET',
    path: '/api/users/disabled',
    access: 'admin',
    token: 'admin',
    describes: {
      summary: 'List the accounts that are disabled',
      answers: { 200: { text: 'Their ids, and who disabled them.', schema: z.array(DisabledUser) } },
    },
    handler: (): Promise<DisabledUser[]> => listDisabled(deps.db),
  },
  {
    method: 'PUT',
    path: '/api/users/:id/disabled',
    access: 'admin',
    token: 'admin',
    records: 'user.change',
    schema: DisableRequest,
    describes: {
      summary: 'Disable the account of another user, or enable it again',
      answers: { 204: { text: 'It counts from now on; nothing of the account is removed.' } },
      refuses: [404],
    },
    async handler(request, reply) {
      const { disabled, current_password: password } = request.body as DisableRequest
      const id = userIdIn(request)
      if (id === callerOf(request).user.id) throw new AppError('forbidden', 'another administrator can do that')
      await checkPasswordOf(deps, { request, password, required: deps.config.requireCurrentPassword })
      const { username } = await disableUser(deps, id, disabled)
      remark(request, { target: `${username}: ${disabled ? 'disabled' : 'enabled'}` })
      if (disabled) await deps.endSessions(id, { code: 'unauthorized' })
      return reply.code(204).send()
    },
  },
]
