import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Group, GroupOrder, GroupRequest } from '../../../shared/api/groups.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { namesVersion } from '../../responses/conditions.ts'
import { parameterOf, type Route, remark } from '../../routing/route.ts'
import { completePermissions, completeRules } from '../settings/complete.ts'
import { checkPasswordOf } from '../users/confirm-password.ts'
import { accessRoutes } from './access-routes.ts'
import { findGroup, type GroupFields, listGroups, type StoredGroup } from './groups.store.ts'
import { addGroup, changeGroup, type GroupRouteDeps, removeGroup, reorderGroups } from './groups.ts'
import { memberRoutes } from './member-routes.ts'
import { groupsToWire, versionOfGroup, versionOfOrder } from './views.ts'

const GROUP_ID = 'The id of the group.'
const VERSION = { ETag: 'Its version, for `If-Match`.' }
const IF_MATCH = { 'If-Match': 'The version that may be replaced.' }

/** Groups of users (http-api 29): administrators manage them, each user reads what they give to that user. */
export function groupRoutes(deps: GroupRouteDeps): Route[] {
  return [
    listRoute(deps),
    addRoute(deps),
    orderRoute(deps),
    ...oneRoutes(deps),
    ...memberRoutes(deps),
    ...accessRoutes(deps),
  ]
}

const listRoute = ({ db }: GroupRouteDeps): Route => ({
  method: 'GET',
  path: '/api/groups',
  access: 'admin',
  token: 'admin',
  describes: {
    summary: 'List all groups in their order',
    answers: {
      200: {
        text: 'The groups; that of all users is the first.',
        schema: z.array(Group),
        headers: { ETag: 'The version of the order, for `If-Match`.' },
      },
    },
  },
  async handler(_request, reply): Promise<Group[]> {
    const groups = await listGroups(db)
    reply.header('ETag', versionOfOrder(groups))
    return groupsToWire(db, groups)
  },
})

const addRoute = (deps: GroupRouteDeps): Route => ({
  method: 'POST',
  path: '/api/groups',
  access: 'admin',
  token: 'admin',
  records: 'group.add',
  schema: GroupRequest,
  bodyLimit: LIMITS.userBody,
  describes: {
    summary: 'Create a group, behind all others',
    answers: {
      201: { text: 'The group.', schema: Group, headers: VERSION },
      409: { text: 'Another group has the name, or there are too many.' },
    },
  },
  async handler(request, reply): Promise<Group> {
    const fields = await readFields(deps, request)
    const group = await addGroup(deps, fields)
    remark(request, { target: group.name })
    return sendGroup(deps, reply.code(201), group)
  },
})

const orderRoute = (deps: GroupRouteDeps): Route => ({
  method: 'PUT',
  path: '/api/groups/order',
  access: 'admin',
  token: 'admin',
  records: 'group.change',
  schema: GroupOrder,
  bodyLimit: LIMITS.userBody,
  describes: {
    summary: 'Put the groups into another order',
    headers: IF_MATCH,
    answers: { 200: { text: 'The groups in their order.', schema: z.array(Group) } },
    refuses: [412],
  },
  async handler(request, reply): Promise<Group[]> {
    const { ids } = request.body as GroupOrder
    await reorderGroups(deps, ids, expected(request, versionOfOrder))
    remark(request, { target: 'order' })
    const groups = await listGroups(deps.db)
    reply.header('ETag', versionOfOrder(groups))
    return groupsToWire(deps.db, groups)
  },
})

function oneRoutes(deps: GroupRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/groups/:id',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Get one group',
        path: GROUP_ID,
        answers: { 200: { text: 'The group.', schema: Group, headers: VERSION } },
        refuses: [404],
      },
      handler: async (request, reply) => sendGroup(deps, reply, await groupIn(deps, request)),
    },
    {
      method: 'PUT',
      path: '/api/groups/:id',
      access: 'admin',
      token: 'admin',
      records: 'group.change',
      schema: GroupRequest,
      bodyLimit: LIMITS.userBody,
      describes: {
        summary: 'Replace all fields of a group',
        path: GROUP_ID,
        headers: IF_MATCH,
        answers: { 200: { text: 'The group; it applies from now on.', schema: Group, headers: VERSION } },
        refuses: [404, 409, 412],
      },
      async handler(request, reply): Promise<Group> {
        const before = await groupIn(deps, request)
        remark(request, { target: before.name })
        const fields = await readFields(deps, request, before)
        const group = await changeGroup(deps, before.id, fields, expected(request, versionOfGroup))
        return sendGroup(deps, reply, group)
      },
    },
    {
      method: 'DELETE',
      path: '/api/groups/:id',
      access: 'admin',
      token: 'admin',
      records: 'group.remove',
      describes: {
        summary: 'Delete a group',
        path: GROUP_ID,
        answers: { 204: { text: 'Its members have lost what it gave; they stay.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const { name } = await removeGroup(deps, parameterOf(request, 'id'))
        remark(request, { target: name })
        return reply.code(204).send()
      },
    },
  ]
}

/** The fields of a request; letting a group make administrators is confirmed, as for one user. */
async function readFields(deps: GroupRouteDeps, request: FastifyRequest, before?: StoredGroup): Promise<GroupFields> {
  const { name, description, perm, rules, current_password: password } = request.body as GroupRequest
  const fields = {
    name,
    description: description ?? '',
    perm: completePermissions(perm),
    rules: completeRules(rules),
  }
  const required = deps.config.requireCurrentPassword && (fields.perm.admin || before?.perm.admin === true)
  await checkPasswordOf(deps, { request, password, required })
  return fields
}

/** Refuses what `If-Match` does not name. */
const expected =
  <T>({ headers }: FastifyRequest, versionOf: (state: T) => string) =>
  (state: T) => {
    const wanted = headers['if-match'] ?? '*'
    if (!namesVersion(wanted, versionOf(state), { weakly: true })) throw new AppError('precondition_failed')
  }

async function sendGroup({ db }: GroupRouteDeps, reply: FastifyReply, group: StoredGroup): Promise<Group> {
  reply.header('ETag', versionOfGroup(group))
  const [shown] = await groupsToWire(db, [group])
  if (!shown) throw new AppError('not_found')
  return shown
}

/** The group in the address of a request. @throws AppError `not_found` */
async function groupIn({ db }: GroupRouteDeps, request: FastifyRequest): Promise<StoredGroup> {
  const group = await findGroup(db, parameterOf(request, 'id'))
  if (!group) throw new AppError('not_found')
  return group
}
