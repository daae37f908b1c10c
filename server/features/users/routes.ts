import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { User, UserRemoval, UserRequest } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, type Route, remark, sendStatus } from '../../routing/route.ts'
import { readSettings } from '../settings/settings.store.ts'
import { provisionUser, removeUser, toWire } from './accounts.ts'
import { userIdIn } from './addressed-user.ts'
import { checkPasswordOf } from './confirm-password.ts'
import { readFields, type Selection, selectFields } from './fields.ts'
import { hashPassword } from './password.ts'
import { checkPassword } from './password-policy.ts'
import { type UsersDeps, updateUser } from './update.ts'
import { BLANK_USER, findUser, listUsers, type StoredUser } from './users.store.ts'

/** The size limit of a user body in bytes: a hundred long rules fit. */
const USER_BODY = LIMITS.userBody

/** Users (http-api 11): administrators manage all accounts, users some fields of their own. */
export function usersRoutes(deps: UsersDeps): Route[] {
  const { db } = deps
  return [
    {
      method: 'GET',
      path: '/api/users',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'List all users',
        answers: { 200: { text: 'The users.', schema: z.array(User) } },
      },
      handler: async () => (await listUsers(db)).map(toWire),
    },
    {
      method: 'POST',
      path: '/api/users',
      access: 'admin',
      token: 'admin',
      records: 'user.add',
      schema: UserRequest,
      bodyLimit: USER_BODY,
      describes: {
        summary: 'Create a user',
        answers: {
          201: {
            text: 'The user was created.',
            headers: { Location: "The URL of the user's page, which ends with the id." },
          },
        },
        refuses: [409],
      },
      async handler(request, reply) {
        const user = await createUser(deps, request)
        remark(request, { target: user.username })
        return sendStatus(reply.header('Location', `/settings/users/${user.id}`), 201)
      },
    },
    {
      method: 'GET',
      path: '/api/users/:id',
      access: 'user',
      token: 'admin',
      describes: {
        summary: 'Get one user',
        answers: { 200: { text: 'The user; administrators also get the scope.', schema: User } },
        refuses: [403, 404],
      },
      async handler(request) {
        const { id, user: caller } = targetOf(request)
        const user = await findUser(db, id)
        if (!user) throw new AppError('not_found')
        return caller.perm.admin ? toWire(user) : { ...toWire(user), scope: '' }
      },
    },
    {
      method: 'PUT',
      path: '/api/users/:id',
      access: 'user',
      token: 'admin',
      records: 'user.change',
      schema: UserRequest,
      bodyLimit: USER_BODY,
      describes: {
        summary: 'Change some fields of a user, or all of them',
        answers: { 200: { text: 'They apply from now on.' } },
        refuses: [403, 404, 409],
      },
      async handler(request, reply) {
        const { id } = targetOf(request)
        await updateUser(deps, { request, id, body: request.body as UserRequest })
        return sendStatus(reply, 200)
      },
    },
    {
      method: 'DELETE',
      path: '/api/users/:id',
      access: 'user',
      token: 'admin',
      records: 'user.remove',
      schema: UserRemoval,
      describes: {
        summary: 'Delete a user',
        answers: { 200: { text: 'The user and their sessions are deleted; their files stay.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const { id } = targetOf(request)
        const password = (request.body as UserRemoval | undefined)?.current_password
        await checkPasswordOf(deps, { request, password, required: deps.config.requireCurrentPassword })
        const { username } = await removeUser(deps, id)
        remark(request, { target: username })
        await deps.endSessions(id, { planned: true, code: 'unauthorized' })
        return sendStatus(reply, 200)
      },
    },
  ]
}

/** The user of a request: the caller, or any for administrators. @throws AppError `forbidden`, `not_found` */
function targetOf(request: FastifyRequest) {
  const caller = callerOf(request)
  const id = userIdIn(request)
  if (id !== caller.user.id && !caller.user.perm.admin) throw new AppError('forbidden')
  return { ...caller, id }
}

const EVERYTHING: Selection = selectFields([])

/** Creates a user for an administrator; an id in the data is ignored. */
async function createUser(deps: UsersDeps, request: FastifyRequest): Promise<StoredUser> {
  const { db, config } = deps
  const body = request.body as UserRequest
  if (body.which?.length) throw new AppError('bad_request', 'which: must be empty')
  await checkPasswordOf(deps, { request, password: body.current_password, required: config.requireCurrentPassword })
  const fields = readFields(body.data, EVERYTHING)
  const password = body.data.password ?? ''
  if (password === '') throw new AppError('bad_request', 'password is empty')
  checkPassword(password, (await readSettings(db)).minimumPasswordLength)
  const passwordHash = await hashPassword(password)
  return provisionUser(deps, { ...BLANK_USER, username: '', ...fields, passwordHash }, 'admin')
}
