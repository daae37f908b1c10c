import type { FastifyRequest } from 'fastify'
import type { AuditWay } from '../../../shared/api/audit.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf } from '../../routing/route.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { verifyPassword } from './password.ts'
import type { PasswordThrottle } from './password-throttle.ts'
import { confirmedAt, findUser, type StoredUser } from './users.store.ts'

/** How long a confirmation counts for requests of its session, in milliseconds. */
const CONFIRMED = 10 * 60_000

/** The directories of the host that check the passwords of their users. */
export interface DirectoryPasswords {
  /**
   * Whether a directory knows this password of an account.
   * @returns nothing for an account of none
   * @throws AppError `provider_unavailable`
   */
  knows(user: StoredUser, password: string): Promise<boolean | undefined>
}

export interface ConfirmDeps {
  db: Db
  throttle: PasswordThrottle
  directories: DirectoryPasswords
}

/** Ways to sign in that clients of the contract do not know: their calls may be refused in ways of our own. */
const OWN_WAYS: readonly AuditWay[] = ['oidc', 'ldap', 'passkey']

/** The caller's own password, for a sensitive request. */
export interface Confirmation {
  request: FastifyRequest
  /** As received; null and missing are the same. */
  password: string | null | undefined
}

/**
 * Demands that the caller is present (http-api 46): by `current_password`, which must be right if it is sent, or by a
 * confirmation of the session not long ago, for which a sign-in counts. Where another system checks passwords (proxy,
 * hook, none) nothing is demanded. A directory checks the password of its users.
 * @throws AppError `confirm_first`, `bad_request` for a wrong password, `too_many_attempts`
 */
export async function confirmCaller(deps: ConfirmDeps, confirmation: Confirmation): Promise<void> {
  if (await isSettled(deps, confirmation)) return
  if (!(await isConfirmed(deps, confirmation.request))) throw new AppError('confirm_first')
}

/**
 * Checks `current_password` of the calls of the contract (http-api 11): if it is sent, it must be right, and the host
 * may require it. A confirmation takes its place only in sessions that began in one of our own ways.
 * @throws AppError `bad_request`, `too_many_attempts`, `confirm_first`
 */
export async function checkPasswordOf(
  deps: ConfirmDeps,
  { required, ...confirmation }: Confirmation & { required: boolean },
): Promise<void> {
  if (confirmation.password == null && !required) return
  if (await isSettled(deps, confirmation)) return
  if (!OWN_WAYS.includes(callerOf(confirmation.request).way)) throw wrongPassword()
  if (!(await isConfirmed(deps, confirmation.request))) throw new AppError('confirm_first')
}

/** Whether nothing else is to be asked: for the right password, and where this server checks none. */
async function isSettled(deps: ConfirmDeps, { request, password }: Confirmation): Promise<boolean> {
  if ((await readAuthSettings(deps.db)).method !== 'json') return true
  if (password == null) return false
  if (!(await isOwnPassword(deps, request, password))) throw wrongPassword()
  return true
}

const isConfirmed = async ({ db }: ConfirmDeps, request: FastifyRequest) =>
  (await confirmedAt(db, callerOf(request).sessionId)) + CONFIRMED > Date.now()

const wrongPassword = () => new AppError('bad_request', 'the current password is incorrect')

/** Whether a password is the caller's own. @throws AppError `too_many_attempts`, `provider_unavailable` */
export async function isOwnPassword(
  { db, throttle, directories }: ConfirmDeps,
  request: FastifyRequest,
  given: string,
): Promise<boolean> {
  const caller = await findUser(db, callerOf(request).user.id)
  const subject = String(caller?.id)
  const judge = async () => {
    const there = caller && (await directories.knows(caller, given))
    return (there ?? (await verifyPassword(given, caller?.passwordHash ?? ''))) || undefined
  }
  return (await throttle.verify(request, { kind: 'confirm', subject }, judge)) === true
}
