import { randomBytes } from 'node:crypto'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { hashPassword, isBcrypt } from './password.ts'
import { addUser, BLANK_USER, countUsers } from './users.store.ts'

export interface FirstAdmin {
  username: string
  /** Set only when it was generated here; shown once and never again. */
  password?: string
}

/** The host's presets for the first administrator; empty strings mean "not given". */
export interface FirstAdminPresets {
  username: string
  adminPassword: string
  passwordHash: string
}

/**
 * Creates the first administrator of a new database: all permissions, the whole root. There is never a default
 * password. The permission to run commands has no effect until the host enables commands.
 * @returns undefined when users exist already
 * @throws AppError `bad_request` when the preset hash is not a bcrypt hash
 */
export async function provisionFirstAdmin(db: Db, presets: FirstAdminPresets): Promise<FirstAdmin | undefined> {
  if ((await countUsers(db)) > 0) return undefined
  if (presets.passwordHash !== '' && !isBcrypt(presets.passwordHash)) {
    throw new AppError(
      'bad_request',
      'The preset password must be a bcrypt hash. For a plain one set FILIGREE_ADMIN_PASSWORD instead.',
    )
  }
  const made = presets.adminPassword || presets.passwordHash ? undefined : randomBytes(12).toString('base64url')
  const passwordHash = presets.adminPassword
    ? await hashPassword(presets.adminPassword)
    : presets.passwordHash || (await hashPassword(made ?? ''))
  await addUser(db, { ...BLANK_USER, username: presets.username, passwordHash, perm: ALL_PERMISSIONS })
  return made === undefined ? { username: presets.username } : { username: presets.username, password: made }
}
