import { AppError } from '../../errors.ts'
import { readSettings } from '../settings/settings.store.ts'
import { type AccountDeps, provisionUser, safeDefaults } from '../users/accounts.ts'
import { findUserByName, type NewUser, type StoredUser } from '../users/users.store.ts'

/**
 * The account of a user whom a proxy or a hook authenticates, created at the first sign-in. Of many concurrent first
 * sign-ins one creates it and the others find it.
 * @param overrides overrides of the safe defaults
 * @throws AppError `exists` when the home belongs to another user, `bad_request` for an invalid name
 */
export async function autoProvision(
  deps: AccountDeps,
  origin: 'proxy' | 'hook',
  overrides: Pick<NewUser, 'username' | 'passwordHash'> & Partial<NewUser>,
): Promise<StoredUser> {
  const defaults = safeDefaults(await readSettings(deps.db))
  try {
    return await provisionUser(deps, { ...defaults, lockPassword: true, ...overrides }, origin)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'exists') throw error
    const made = await findUserByName(deps.db, overrides.username)
    if (!made) throw error
    return made
  }
}
