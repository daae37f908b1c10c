import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  Mount,
  MountAccessRequest,
  MountChange,
  MountRequest,
  OwnMount,
  RootAnswer,
  RootChange,
} from '../../../shared/api/mounts.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import type { MountSubject } from '../groups/mounts.store.ts'
import { userIdIn } from '../users/addressed-user.ts'
import {
  addMount,
  changeMount,
  changeRoot,
  giveMountTo,
  listNamedMounts,
  listRoots,
  type MountDeps,
  removeMount,
  takeMountFrom,
} from './mounts.ts'

const ID = 'The id of the mount.'
const ACCESS = 'The id of the mount, `user` or `group`, and the id of that user or group.'

interface MountRoutesDeps extends MountDeps {
  files: Pick<FilesService, 'mountsOf' | 'keepsDeleted'>
}

/** Folders of other roots (http-api 51). */
export function mountRoutes(deps: MountRoutesDeps): Route[] {
  return [
    ownRoute(deps),
    ...readingRoutes(deps),
    rootRoute(deps),
    addRoute(deps),
    changeRoute(deps),
    removeRoute(deps),
    giveRoute(deps),
    takeRoute(deps),
  ]
}

const ownRoute = ({ files }: MountRoutesDeps): Route => ({
  method: 'GET',
  path: '/api/mounts/own',
  access: 'user',
  token: 'read',
  describes: {
    summary: 'List the folders of other roots that one has, and what one may do there',
    answers: { 200: { text: 'By name.', schema: z.array(OwnMount) } },
  },
  async handler(request): Promise<OwnMount[]> {
    const mounts = await files.mountsOf(callerOf(request).user)
    return mounts.map(mount => ({ ...mount, trash: files.keepsDeleted }))
  },
})

const readingRoutes = (deps: MountDeps): Route[] => [
  {
    method: 'GET',
    path: '/api/roots',
    access: 'admin',
    token: 'admin',
    describes: {
      summary: 'List the further roots of the host',
      answers: { 200: { text: 'In the order of the configuration.', schema: z.array(RootAnswer) } },
    },
    handler: (): Promise<RootAnswer[]> => listRoots(deps),
  },
  {
    method: 'GET',
    path: '/api/mounts',
    access: 'admin',
    token: 'admin',
    describes: {
      summary: 'List the folders of other roots, and to whom they are given',
      answers: { 200: { text: 'By name.', schema: z.array(Mount) } },
    },
    handler: (): Promise<Mount[]> => listNamedMounts(deps.db),
  },
  {
    method: 'GET',
    path: '/api/mounts/:id',
    access: 'admin',
    token: 'admin',
    describes: {
      summary: 'Get one folder of another root',
      path: ID,
      answers: { 200: { text: 'The mount.', schema: Mount } },
      refuses: [404],
    },
    handler: (request): Promise<Mount> => oneMount(deps.db, parameterOf(request, 'id')),
  },
]

const rootRoute = (deps: MountDeps): Route => ({
  method: 'PATCH',
  path: '/api/roots/:name',
  access: 'admin',
  token: 'admin',
  records: 'root.change',
  schema: RootChange,
  describes: {
    summary: 'Set the label and the quota of a further root; accept the disk in its place',
    path: 'The name of the root.',
    answers: {
      204: { text: 'It applies from now on. What lies there is counted in the background.' },
      503: { text: 'Nothing is in the place of the root that could be accepted.' },
    },
    refuses: [404],
  },
  async handler(request, reply) {
    const name = parameterOf(request, 'name')
    const change = request.body as RootChange
    remark(request, { target: change.accept ? `${name}: accept` : name })
    await changeRoot(deps, name, change)
    return reply.code(204).send()
  },
})

const addRoute = (deps: MountDeps): Route => ({
  method: 'POST',
  path: '/api/mounts',
  access: 'admin',
  token: 'admin',
  records: 'mount.add',
  schema: MountRequest,
  bodyLimit: LIMITS.userBody,
  describes: {
    summary: 'Make a folder of another root known by a name',
    answers: {
      201: { text: 'The mount. No user has it yet.', schema: Mount },
      409: { text: 'Another mount has the name, the folder is a mount already, or there are too many.' },
      503: { text: 'The root is not there.' },
    },
  },
  async handler(request, reply) {
    const wanted = request.body as MountRequest
    remark(request, { target: wanted.name })
    const { id } = await addMount(deps, wanted)
    return reply.code(201).send(await oneMount(deps.db, id))
  },
})

const changeRoute = (deps: MountDeps): Route => ({
  method: 'PUT',
  path: '/api/mounts/:id',
  access: 'admin',
  token: 'admin',
  records: 'mount.change',
  schema: MountChange,
  bodyLimit: LIMITS.userBody,
  describes: {
    summary: 'Change the name of a mount, and whether it is only read',
    path: ID,
    answers: {
      200: { text: 'The mount; it applies from now on.', schema: Mount },
      409: { text: 'Another mount has the name.' },
    },
    refuses: [404],
  },
  async handler(request): Promise<Mount> {
    const [id, change] = [parameterOf(request, 'id'), request.body as MountChange]
    remark(request, { target: change.name })
    await changeMount(deps, id, change)
    return oneMount(deps.db, id)
  },
})

const removeRoute = (deps: MountDeps): Route => ({
  method: 'DELETE',
  path: '/api/mounts/:id',
  access: 'admin',
  token: 'admin',
  records: 'mount.remove',
  describes: {
    summary: 'Remove a mount from every user',
    path: ID,
    answers: { 204: { text: 'The files stay.' } },
    refuses: [404],
  },
  async handler(request, reply) {
    const { name } = await removeMount(deps, parameterOf(request, 'id'))
    remark(request, { target: name })
    return reply.code(204).send()
  },
})

const giveRoute = (deps: MountDeps): Route => ({
  method: 'PUT',
  path: '/api/mounts/:id/access/:kind/:subject',
  access: 'admin',
  token: 'admin',
  records: 'mount.access',
  schema: MountAccessRequest,
  describes: {
    summary: 'Give a mount to a user or a group, or change what they may do in it, and until when',
    path: ACCESS,
    answers: { 204: { text: 'They have it from now on.' } },
    refuses: [404],
  },
  async handler(request, reply) {
    const given = request.body as MountAccessRequest
    const { name, toName } = await giveMountTo(deps, parameterOf(request, 'id'), subjectIn(request), given)
    const end = given.expires ? `, until ${given.expires}` : ''
    remark(request, { target: `${name}: + ${toName} (${given.rights.join(', ')}${end})` })
    return reply.code(204).send()
  },
})

const takeRoute = (deps: MountDeps): Route => ({
  method: 'DELETE',
  path: '/api/mounts/:id/access/:kind/:subject',
  access: 'admin',
  token: 'admin',
  records: 'mount.access',
  describes: {
    summary: 'Take a mount from a user or a group',
    path: ACCESS,
    answers: { 204: { text: 'They have it no longer, unless a group gives it. The files stay.' } },
    refuses: [404],
  },
  async handler(request, reply) {
    const { name, toName } = await takeMountFrom(deps, parameterOf(request, 'id'), subjectIn(request))
    remark(request, { target: `${name}: - ${toName}` })
    return reply.code(204).send()
  },
})

/** The user or group in the address of a request. @throws AppError `not_found` */
function subjectIn(request: FastifyRequest): MountSubject {
  const kind = parameterOf(request, 'kind')
  if (kind === 'user') return { kind, id: userIdIn(request, 'subject') }
  if (kind === 'group') return { kind, id: parameterOf(request, 'subject') }
  throw new AppError('not_found')
}

async function oneMount(db: Db, id: string): Promise<Mount> {
  const [mount] = await listNamedMounts(db, id)
  if (!mount) throw new AppError('not_found')
  return mount
}
