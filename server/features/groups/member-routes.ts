import type { FastifyRequest } from 'fastify'
import { GroupMembers, MembershipRequest } from '../../../shared/api/groups.ts'
import { AppError } from '../../errors.ts'
import { futureTime } from '../../lib/future-time.ts'
import { LIMITS } from '../../limits.ts'
import { parameterOf, queryOf, type Route, remark } from '../../routing/route.ts'
import { userIdIn } from '../users/addressed-user.ts'
import { checkPasswordOf } from '../users/confirm-password.ts'
import { findGroup, type StoredGroup } from './groups.store.ts'
import { addMember, type GroupRouteDeps, removeMember } from './groups.ts'
import { listMembers } from './members.store.ts'
import { memberToWire } from './views.ts'

const IDS = 'The id of the group, or of the user.'

/** Members of groups, by hand (http-api 29). */
export function memberRoutes(deps: GroupRouteDeps): Route[] {
  return [listRoute(deps), addRoute(deps), removeRoute(deps)]
}

const listRoute = (deps: GroupRouteDeps): Route => ({
  method: 'GET',
  path: '/api/groups/:id/members',
  access: 'admin',
  token: 'admin',
  describes: {
    summary: 'List the members of a group',
    path: 'The id of the group.',
    query: { after: { text: 'The id of the last user of the page before.', type: 'integer' } },
    answers: { 200: { text: `At most ${LIMITS.groupMembersPage} of them, by id.`, schema: GroupMembers } },
    refuses: [400, 404],
  },
  async handler(request): Promise<GroupMembers> {
    const { id } = await demandGroup(deps, request)
    const after = numberIn(queryOf(request, 'after') ?? '0')
    const page = { after, most: LIMITS.groupMembersPage, now: Date.now() }
    const { members, more } = await listMembers(deps.db, id, page)
    return { members: members.map(memberToWire), more }
  },
})

const addRoute = (deps: GroupRouteDeps): Route => ({
  method: 'PUT',
  path: '/api/groups/:id/members/:user',
  access: 'admin',
  token: 'admin',
  records: 'group.member',
  schema: MembershipRequest,
  describes: {
    summary: 'Put a user into a group, or change when that ends',
    path: IDS,
    answers: { 204: { text: 'The user has what the group gives from now on.' } },
    refuses: [404],
  },
  async handler(request, reply) {
    const group = await demandGroup(deps, request)
    const { expires, current_password: password } = (request.body as MembershipRequest) ?? {}
    await checkPasswordOf(deps, { request, password, required: deps.config.requireCurrentPassword && group.perm.admin })
    const { user } = await addMember(deps, group.id, userIdIn(request, 'user'), futureTime(expires ?? null))
    remark(request, { target: `${group.name}: + ${user.username}` })
    return reply.code(204).send()
  },
})

const removeRoute = (deps: GroupRouteDeps): Route => ({
  method: 'DELETE',
  path: '/api/groups/:id/members/:user',
  access: 'admin',
  token: 'admin',
  records: 'group.member',
  describes: {
    summary: 'Take a user out of a group',
    path: IDS,
    answers: {
      204: { text: 'The user has lost what the group gave.' },
      409: { text: 'A provider gives the membership.' },
    },
    refuses: [404],
  },
  async handler(request, reply) {
    const { id } = await demandGroup(deps, request)
    const { group, user } = await removeMember(deps, id, userIdIn(request, 'user'))
    remark(request, { target: `${group.name}: - ${user.username}` })
    return reply.code(204).send()
  },
})

async function demandGroup({ db }: GroupRouteDeps, request: FastifyRequest): Promise<StoredGroup> {
  const group = await findGroup(db, parameterOf(request, 'id'))
  if (!group) throw new AppError('not_found')
  return group
}

function numberIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('bad_request', 'after: must be the id of a user')
  return Number(text)
}
