import { Handover, HandoverRequest } from '../../../shared/api/handovers.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import { demandUserIn } from '../users/addressed-user.ts'
import { type ConfirmDeps, checkPasswordOf } from '../users/confirm-password.ts'
import { findUser } from '../users/users.store.ts'
import { type HandoverDeps, handOver } from './handover.ts'

export interface HandoverRoutesDeps extends HandoverDeps, ConfirmDeps {
  config: { requireCurrentPassword: boolean }
}

/** What a user has, for another one (http-api 43). */
export const handoverRoutes = (deps: HandoverRoutesDeps): Route[] => [
  {
    method: 'POST',
    path: '/api/users/:id/handover',
    access: 'admin',
    token: 'admin',
    records: 'user.change',
    schema: HandoverRequest,
    describes: {
      summary: 'Hand the links and shares of a user over to another user, and the files on request',
      answers: { 200: { text: 'Everything that the other user can have is theirs.', schema: Handover } },
      refuses: [404, 409, 507],
    },
    async handler(request): Promise<Handover> {
      const { to, move = false, current_password: password } = request.body as HandoverRequest
      const from = await demandUserIn(deps.db, request)
      const heir = await findUser(deps.db, to)
      remark(request, { target: `${from.username} → ${heir?.username ?? to}` })
      await checkPasswordOf(deps, { request, password, required: deps.config.requireCurrentPassword })
      return handOver(deps, callerOf(request).user, { from: from.id, to, move })
    },
  },
]
