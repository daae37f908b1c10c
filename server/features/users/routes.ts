import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { User, UserRemoval, UserRequest } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, type Route, remark, sendStatus } from '../../routing/route.ts'
import { readSettings } from '../settings/settings.store.ts'
import { provisionUser, removeUser, toWire } from './accounts.ts'
import { confirmCaller } from './confirm-password.ts'
import { readFields, type Selection, selectFields } from './fields.ts'
import { hashPassword } from './password.ts'
import { checkPassword } from './password-policy.ts'
import { type UsersDeps, updateUser } from './update.ts'
import { BLANK_USER, findUser, listUsers, type StoredUser } from './users.store.ts'

/** Bytes of a user body: a hundred long rules fit. */
const USER_BODY = LIMITS.userBody

/** Users (http-api 11): administrators manage everybody, everybody looks after some fields of their own. */
export function usersRoutes(deps: UsersDeps): Route[] {
  const { db } = deps
  return [
    {
      method: 'GET',
      path: '/api/users',
      access: 'admin',
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
      records: 'user.add',
      schema: UserRequest,
      bodyLimit: USER_BODY,
      describes: {
        summary: 'Make a user',
        answers: {
          201: { text: 'The user is there.', headers: { Location: 'The page of the user, whose number is its end.' } },
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
      describes: {
        summary: 'Tell of one user',
        answers: { 200: { text: 'The user; the scope is told to administrators only.', schema: User } },
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
      records: 'user.change',
      schema: UserRequest,
      bodyLimit: USER_BODY,
      describes: {
        summary: 'Change some fields of a user, or all of them',
        answers: { 200: { text: 'In force from now on.' } },
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
      records: 'user.remove',
      schema: UserRemoval,
      describes: {
        summary: 'Remove a user',
        answers: { 200: { text: 'The user and their sessions are gone; their files stay.' } },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const { id } = targetOf(request)
        const password = (request.body as UserRemoval | undefined)?.current_password
        await confirmCaller(deps, { request, password, required: deps.config.requireCurrentPassword })
        const { username } = await removeUser(deps, id)
        remark(request, { target: username })
        await deps.endSessions(id, { planned: true, code: 'unauthorized' })
        return sendStatus(reply, 200)
      },
    },
  ]
}

/** The user a call is about: the caller, or anybody for administrators. @throws AppError `forbidden`, `not_found` */
function targetOf(request: FastifyRequest) {
  const { id: text = '' } = request.params as { id?: string }
  const caller = callerOf(request)
  if (!/^\d{1,15}$/.test(text)) throw new AppError('not_found')
  const id = Number(text)
  if (id !== caller.user.id && !caller.user.perm.admin) throw new AppError('forbidden')
  return { ...caller, id }
}

const EVERYTHING: Selection = selectFields([])

/** Makes a user as an administrator describes one; an id in the data is not looked at. */
async function createUser(deps: UsersDeps, request: FastifyRequest): Promise<StoredUser> {
  const { db, config } = deps
  const body = request.body as UserRequest
  if (body.which?.length) throw new AppError('bad_request', 'which: must be empty')
  await confirmCaller(deps, { request, password: body.current_password, required: config.requireCurrentPassword })
  const fields = readFields(body.data, EVERYTHING)
  const password = body.data.password ?? ''
  if (password === '') throw new AppError('bad_request', 'password is empty')
  checkPassword(password, (await readSettings(db)).minimumPasswordLength)
  const passwordHash = await hashPassword(password)
  return provisionUser(deps, { ...BLANK_USER, username: '', ...fields, passwordHash }, 'admin')
}
