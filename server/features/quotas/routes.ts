import type { FastifyRequest } from 'fastify'
import { QuotaAnswer, QuotaRequest, QuotasAnswer } from '../../../shared/api/quotas.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { changeGroupQuota, type GroupDeps } from '../groups/groups.ts'
import { userIdIn } from '../users/addressed-user.ts'
import type { Quotas } from './quotas.ts'
import { recountAll, setQuotaOfUser } from './set-quota.ts'
import { allQuotas, quotaOf } from './view.ts'

export interface QuotaRouteDeps extends GroupDeps {
  quotas: Quotas
}

const SET = { 204: { text: 'It applies from now on. What lies there is counted in the background.' } }

/** Quotas of users and groups (http-api 37). */
export function quotaRoutes(deps: QuotaRouteDeps): Route[] {
  return [ownRoute(deps), listRoute(deps), ...changeRoutes(deps)]
}

const ownRoute = ({ db }: QuotaRouteDeps): Route => ({
  method: 'GET',
  path: '/api/quota',
  access: 'user',
  token: 'read',
  describes: {
    summary: 'Get the quota of the caller, and what the home holds',
    answers: { 200: { text: 'In bytes; without a quota `limit` is null.', schema: QuotaAnswer } },
  },
  async handler(request): Promise<QuotaAnswer> {
    const user = await findActingUser(db, callerOf(request).user.id)
    if (!user) throw new AppError('unauthorized')
    return quotaOf(db, user)
  },
})

const listRoute = ({ db, quotas }: QuotaRouteDeps): Route => ({
  method: 'GET',
  path: '/api/quotas',
  access: 'admin',
  token: 'admin',
  describes: {
    summary: 'List the quotas of all users and groups',
    answers: { 200: { text: 'Those who have one.', schema: QuotasAnswer } },
  },
  async handler(): Promise<QuotasAnswer> {
    await quotas.homes()
    return allQuotas(db)
  },
})

function changeRoutes(deps: QuotaRouteDeps): Route[] {
  return [
    {
      method: 'PUT',
      path: '/api/quotas/users/:id',
      access: 'admin',
      token: 'admin',
      records: 'user.change',
      schema: QuotaRequest,
      describes: { summary: 'Set the quota of a user', path: 'The id of the user.', answers: SET, refuses: [404] },
      async handler(request, reply) {
        const { username } = await setQuotaOfUser(deps, userIdIn(request), quotaIn(request))
        remark(request, { target: username })
        return reply.code(204).send()
      },
    },
    {
      method: 'PUT',
      path: '/api/quotas/groups/:id',
      access: 'admin',
      token: 'admin',
      records: 'group.change',
      schema: QuotaRequest,
      describes: {
        summary: 'Set the quota that a group gives the home of each member',
        path: 'The id of the group.',
        answers: SET,
        refuses: [404],
      },
      async handler(request, reply) {
        const { name } = await changeGroupQuota(deps, parameterOf(request, 'id'), quotaIn(request))
        deps.cluster.publish('quotas.changed', {})
        remark(request, { target: name })
        return reply.code(204).send()
      },
    },
    {
      method: 'POST',
      path: '/api/quotas/recount',
      access: 'admin',
      token: 'admin',
      records: 'settings.change',
      describes: {
        summary: 'Count again what lies in the homes of users with a quota',
        answers: { 202: { text: 'They are counted in the background.' } },
      },
      async handler(_request, reply) {
        await recountAll(deps)
        return reply.code(202).send()
      },
    },
  ]
}

const quotaIn = ({ body }: FastifyRequest) => body as QuotaRequest
