import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { verifyPassword } from './password.ts'
import { findUser } from './users.store.ts'

/** The own password of whoever asks for something sensitive. */
export interface Confirmation {
  callerId: number
  /** As it came; null and missing are the same. */
  password: string | null | undefined
  /** Whether it may be missing. */
  required: boolean
}

/**
 * Checks `current_password` (contract 11): whoever sends it must send the right one. Where passwords are somebody
 * else's business (proxy, hook, none) it says nothing and is not looked at.
 * @throws AppError `bad_request`
 */
export async function confirmCaller(db: Db, { callerId, password, required }: Confirmation): Promise<void> {
  const given = password ?? undefined
  if (given === undefined && !required) return
  if ((await readAuthSettings(db)).method !== 'json') return
  const caller = await findUser(db, callerId)
  const right = given !== undefined && caller !== undefined && (await verifyPassword(given, caller.passwordHash))
  if (!right) throw new AppError('bad_request', 'the current password is incorrect')
}
