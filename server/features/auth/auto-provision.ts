import { AppError } from '../../errors.ts'
import { readSettings } from '../settings/settings.store.ts'
import { type AccountDeps, provisionUser, safeDefaults } from '../users/accounts.ts'
import { findUserByName, type NewUser, type StoredUser } from '../users/users.store.ts'

/**
 * The account of somebody whom a proxy or a hook vouches for and who is here for the first time. Of many first visits
 * at once one makes it and the others find it.
 * @param wishes what differs from the safe defaults
 * @throws AppError `exists` when the home would be somebody else's, `bad_request` for an impossible name
 */
export async function welcome(
  deps: AccountDeps,
  origin: 'proxy' | 'hook',
  wishes: Pick<NewUser, 'username' | 'passwordHash'> & Partial<NewUser>,
): Promise<StoredUser> {
  const defaults = safeDefaults(await readSettings(deps.db))
  try {
    return await provisionUser(deps, { ...defaults, lockPassword: true, ...wishes }, origin)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'exists') throw error
    const made = await findUserByName(deps.db, wishes.username)
    if (!made) throw error
    return made
  }
}
