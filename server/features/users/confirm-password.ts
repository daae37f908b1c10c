import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf } from '../../routing/route.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { verifyPassword } from './password.ts'
import type { PasswordThrottle } from './password-throttle.ts'
import { findUser, type StoredUser, sessionStart } from './users.store.ts'

/** How long a sign-in with a provider or a passkey confirms requests of its session, in milliseconds. */
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

/** Ways to sign in without the password here. */
const ELSEWHERE = ['oidc', 'ldap', 'passkey']

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
 * hook, none) it is ignored. A user who came from an OpenID provider or a directory may have no password here, and one with
 * a passkey may have forgotten it: a recent sign-in in that way confirms as well. A directory checks the password of its users.
 * @throws AppError `bad_request`, `too_many_attempts`; `confirm_first` when that sign-in is too long ago
 */
export async function confirmCaller(deps: ConfirmDeps, { request, password, required }: Confirmation): Promise<void> {
  const given = password ?? undefined
  if (given === undefined && !required) return
  const { db, throttle, directories } = deps
  if ((await readAuthSettings(db)).method !== 'json') return
  const { way, sessionId } = callerOf(request)
  if (ELSEWHERE.includes(way) && given === undefined) {
    const began = await sessionStart(db, sessionId)
    if (began !== undefined && began + CONFIRMED > Date.now()) return
    if (way !== 'passkey') throw new AppError('confirm_first')
  }
  const caller = await findUser(db, callerOf(request).user.id)
  const subject = String(caller?.id)
  const judge = async () => {
    const there = caller && (await directories.knows(caller, given ?? ''))
    return (there ?? (await verifyPassword(given ?? '', caller?.passwordHash ?? ''))) || undefined
  }
  const right = given !== undefined && (await throttle.verify(request, { kind: 'confirm', subject }, judge))
  if (!right) throw new AppError('bad_request', 'the current password is incorrect')
}
