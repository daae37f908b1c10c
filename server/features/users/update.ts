import type { FastifyRequest } from 'fastify'
import type { User, UserRequest } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { callerOf, remark } from '../../routing/route.ts'
import { readSettings } from '../settings/settings.store.ts'
import { type AccountDeps, changeUser } from './accounts.ts'
import { type ConfirmDeps, checkPasswordOf } from './confirm-password.ts'
import { isSensitive, needsAdmin, readFields, type Selection, selectFields } from './fields.ts'
import { hashPassword } from './password.ts'
import { checkPassword } from './password-policy.ts'
import { findUser, type NewUser } from './users.store.ts'

/** What to end: `planned` includes scheduled jobs; `code` is the reason that the user sees at the jobs. */
export interface SessionsEnd {
  but?: string | undefined
  planned?: boolean
  code?: 'session_ended' | 'unauthorized'
}

export interface UsersDeps extends AccountDeps, ConfirmDeps {
  config: { requireCurrentPassword: boolean }
  /** Ends every session of a user except one, and the jobs that they started. */
  endSessions(userId: number, which: SessionsEnd): Promise<void>
}

/** A change of one user by another. */
export interface UpdateRequest {
  request: FastifyRequest
  id: number
  body: UserRequest
}

/**
 * Changes the named fields of a user, or all of them (http-api 11). A new password ends the user's other sessions; the
 * session of the request stays.
 * @throws AppError `bad_request`, `forbidden`, `not_found`, `exists`
 */
export async function updateUser(deps: UsersDeps, { request, id, body }: UpdateRequest): Promise<void> {
  const { user: caller, sessionId, token } = callerOf(request)
  // With its own password changed, a token could begin a session without limits.
  if (token && id === caller.id) throw new AppError('token_scope')
  if (body.data.id !== id) throw new AppError('bad_request', 'data.id: is not the id of the address')
  const selection = selectFields(body.which)
  // Display preferences are not audited.
  if (!isSensitive(selection)) remark(request, { action: 'nothing' })
  refuseField(selection, caller)
  const user = await findUser(deps.db, id)
  if (!user) throw new AppError('not_found')
  remark(request, { target: user.username, facts: { fields: selection.fields } })
  await checkPasswordOf(deps, {
    request,
    password: body.current_password,
    required: deps.config.requireCurrentPassword && isSensitive(selection),
  })
  const changes: Partial<NewUser> = readFields(body.data, selection)
  const passwordHash = await newHash(deps, body, selection)
  await changeUser(deps, id, passwordHash === undefined ? changes : { ...changes, passwordHash })
  if (passwordHash !== undefined) await deps.endSessions(id, { but: id === caller.id ? sessionId : undefined })
}

function refuseField(selection: Selection, { perm, lockPassword }: User): void {
  if (perm.admin) return
  const locked = lockPassword && selection.fields.includes('password')
  if (needsAdmin(selection) || locked) throw new AppError('forbidden')
}

/** A blank password among all fields keeps the old one; named explicitly it is refused (http-api 11). */
async function newHash({ db }: UsersDeps, { data }: UserRequest, { all, fields }: Selection) {
  const password = data.password ?? ''
  if (!fields.includes('password') || (all && password === '')) return undefined
  checkPassword(password, (await readSettings(db)).minimumPasswordLength)
  return hashPassword(password)
}
