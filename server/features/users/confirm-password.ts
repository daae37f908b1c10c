import type { FastifyRequest } from 'fastify'
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

/** Ways to sign in without a password here. */
const ELSEWHERE = ['oidc', 'ldap']

/** The caller's own password, for a sensitive request. */
export interface Confirmation {
  request: FastifyRequest
  /** As received; null and missing are the same. */
  password: string | null | undefined
  /** Whether it is required. */
  required: boolean
}

/**
 * Checks `current_password` (http-api 11): if present, it must be right. Where another system checks passwords (proxy,
 * hook, none) it is ignored. In its place counts that the user of the session has proved to be present not long ago, by
 * `POST /api/account/confirm`, or by a sign-in with an OpenID provider, a directory or a passkey, whose users may have no
 * password here. A directory checks the password of its users.
 * @throws AppError `bad_request`, `too_many_attempts`; `confirm_first` when that sign-in is too long ago
 */
export async function confirmCaller(deps: ConfirmDeps, { request, password, required }: Confirmation): Promise<void> {
  const given = password ?? undefined
  if (given === undefined && !required) return
  if ((await readAuthSettings(deps.db)).method !== 'json') return
  if (given === undefined) {
    const { way, sessionId } = callerOf(request)
    if ((await confirmedAt(deps.db, sessionId)) + CONFIRMED > Date.now()) return
    if (ELSEWHERE.includes(way)) throw new AppError('confirm_first')
  }
  const right = given !== undefined && (await isOwnPassword(deps, request, given))
  if (!right) throw new AppError('bad_request', 'the current password is incorrect')
}

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
