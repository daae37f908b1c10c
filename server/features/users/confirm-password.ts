import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf } from '../../routing/route.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import type { Guesses } from './login-throttle.ts'
import { verifyPassword } from './password.ts'
import { findUser } from './users.store.ts'
import { judgeSecret } from './verify-secret.ts'

export interface ConfirmDeps {
  db: Db
  guesses: Guesses
}

/** The own password of whoever asks for something sensitive. */
export interface Confirmation {
  request: FastifyRequest
  /** As it came; null and missing are the same. */
  password: string | null | undefined
  /** Whether it may be missing. */
  required: boolean
}

/**
 * Checks `current_password` (http-api 11): whoever sends it must send the right one. Where passwords are somebody
 * else's business (proxy, hook, none) it says nothing and is not looked at.
 * @throws AppError `bad_request`, `too_many_attempts`
 */
export async function confirmCaller(deps: ConfirmDeps, { request, password, required }: Confirmation): Promise<void> {
  const given = password ?? undefined
  if (given === undefined && !required) return
  const { db, guesses } = deps
  if ((await readAuthSettings(db)).method !== 'json') return
  const caller = await findUser(db, callerOf(request).user.id)
  const subject = String(caller?.id)
  const judge = async () => (await verifyPassword(given ?? '', caller?.passwordHash ?? '')) || undefined
  const right = given !== undefined && (await judgeSecret(guesses, request, { door: 'confirm', subject }, judge))
  if (!right) throw new AppError('bad_request', 'the current password is incorrect')
}
