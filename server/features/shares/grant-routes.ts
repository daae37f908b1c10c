import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Grant, GrantChange, GrantRequest, ReceivedGrants, Recipients } from '../../../shared/api/grants.ts'
import { parsePath } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, queryOf, type Route, remark } from '../../routing/route.ts'
import { grantToWire, receivedToWire } from './grant-views.ts'
import { type Giver, type GrantDeps, Grants, targetOf } from './grants.ts'

const ID = 'The id of the grant.'

/** What users share with other users and groups (http-api 36). */
export function grantRoutes(deps: GrantDeps): Route[] {
  const grants = new Grants(deps)
  return [...givingRoutes(grants), ...receivingRoutes(grants)]
}

function givingRoutes(grants: Grants): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/grants',
      access: 'user',
      token: 'share',
      describes: {
        summary: 'List what one shares with users and groups',
        query: { path: 'Only grants of this file or folder.' },
        answers: { 200: { text: 'The grants, the oldest first.', schema: z.array(Grant) } },
        refuses: [403],
      },
      async handler(request): Promise<Grant[]> {
        const path = queryOf(request, 'path')
        const own = await grants.list(giverOf(request), path === undefined ? undefined : parsePath(path))
        return own.map(grant => grantToWire(grant))
      },
    },
    allRoute(grants),
    peopleRoute(grants),
    addRoute(grants),
    changeRoute(grants),
    removeRoute(grants),
  ]
}

const allRoute = (grants: Grants): Route => ({
  method: 'GET',
  path: '/api/grants/all',
  access: 'admin',
  token: 'admin',
  describes: {
    summary: 'List what all users share with users and groups',
    answers: { 200: { text: 'The grants with their owners, the oldest first.', schema: z.array(Grant) } },
  },
  handler: async (): Promise<Grant[]> => (await grants.listAll()).map(grant => grantToWire(grant, grant.owner)),
})

const peopleRoute = (grants: Grants): Route => ({
  method: 'GET',
  path: '/api/grants/people',
  access: 'user',
  token: 'share',
  describes: {
    summary: 'Find users and groups to share with',
    query: { q: { text: 'A part of the name; the whole name of a user in no common group.', required: true } },
    answers: { 200: { text: 'Users first, then groups.', schema: Recipients } },
    refuses: [403],
  },
  handler: (request): Promise<Recipients> => grants.recipients(giverOf(request), queryOf(request, 'q') ?? ''),
})

const addRoute = (grants: Grants): Route => ({
  method: 'POST',
  path: '/api/grants',
  access: 'user',
  token: 'share',
  records: 'grant.add',
  schema: GrantRequest,
  describes: {
    summary: 'Share a file or folder with a user or a group',
    answers: { 201: { text: 'The grant.', schema: Grant }, 409: { text: 'It is shared with them already.' } },
    refuses: [404],
  },
  async handler(request, reply) {
    const grant = await grants.add(giverOf(request), request.body as GrantRequest)
    remark(request, { path: grant.place, target: targetOf(grant) })
    return reply.code(201).send(grantToWire(grant))
  },
})

const changeRoute = (grants: Grants): Route => ({
  method: 'PATCH',
  path: '/api/grants/:id',
  access: 'user',
  token: 'share',
  records: 'grant.change',
  schema: GrantChange,
  describes: {
    summary: 'Change what a grant gives, its note and its end',
    path: ID,
    answers: { 200: { text: 'The grant.', schema: Grant } },
    refuses: [404],
  },
  async handler(request): Promise<Grant> {
    const grant = await grants.change(giverOf(request), parameterOf(request, 'id'), request.body as GrantChange)
    remark(request, { path: grant.place, target: targetOf(grant) })
    return grantToWire(grant)
  },
})

const removeRoute = (grants: Grants): Route => ({
  method: 'DELETE',
  path: '/api/grants/:id',
  access: 'user',
  token: 'share',
  records: 'grant.remove',
  describes: {
    summary: 'End a grant',
    path: ID,
    answers: { 204: { text: 'The recipients no longer see it.' } },
    refuses: [403, 404],
  },
  async handler(request, reply) {
    const grant = await grants.remove(giverOf(request), parameterOf(request, 'id'))
    remark(request, { path: grant.place, target: targetOf(grant) })
    return reply.code(204).send()
  },
})

function receivingRoutes(grants: Grants): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/grants/received',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List what others share with one',
        answers: { 200: { text: 'Each thing once, with the rights of all its grants.', schema: ReceivedGrants } },
      },
      handler: async (request): Promise<ReceivedGrants> =>
        receivedToWire(await grants.received(callerOf(request).user)),
    },
    {
      method: 'DELETE',
      path: '/api/grants/received/:id',
      access: 'user',
      token: 'write',
      records: 'grant.remove',
      describes: {
        summary: 'Leave what another user shares',
        path: ID,
        answers: { 204: { text: 'The caller no longer sees it.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const { user } = callerOf(request)
        const {
          grants: [first],
          name,
        } = await grants.leave(user, parameterOf(request, 'id'))
        remark(request, { path: first.place, target: `${name}: ${user.username}` })
        return reply.code(204).send()
      },
    },
  ]
}

/** The caller, who must have the right to share. @throws AppError `forbidden` */
function giverOf(request: FastifyRequest): Giver {
  const { user } = callerOf(request)
  if (!allows(user.perm, 'share')) throw new AppError('forbidden')
  return user
}
