import { randomBytes } from 'node:crypto'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { hashPassword, isBcrypt } from './password.ts'
import { addUser, BLANK_USER, countUsers } from './users.store.ts'

export interface FirstAdmin {
  username: string
  /** Set only when it was made up here; to be shown once and never again. */
  password?: string
}

/** How the host presets the first administrator; empty strings mean "not given". */
export interface FirstAdminWishes {
  username: string
  adminPassword: string
  passwordHash: string
}

/**
 * Makes the first administrator of a new database: all rights, the whole root. There is never a default password. The
 * right to run commands means nothing until the host switches commands on.
 * @returns undefined when users exist already
 * @throws AppError `bad_request` when the preset hash is not a bcrypt one
 */
export async function provisionFirstAdmin(db: Db, wishes: FirstAdminWishes): Promise<FirstAdmin | undefined> {
  if ((await countUsers(db)) > 0) return undefined
  if (wishes.passwordHash !== '' && !isBcrypt(wishes.passwordHash)) {
    throw new AppError(
      'bad_request',
      'The preset password must be a bcrypt hash. For a plain one set FILIGREE_ADMIN_PASSWORD instead.',
    )
  }
  const made = wishes.adminPassword || wishes.passwordHash ? undefined : randomBytes(12).toString('base64url')
  const passwordHash = wishes.adminPassword
    ? await hashPassword(wishes.adminPassword)
    : wishes.passwordHash || (await hashPassword(made ?? ''))
  await addUser(db, { ...BLANK_USER, username: wishes.username, passwordHash, perm: ALL_PERMISSIONS })
  return made === undefined ? { username: wishes.username } : { username: wishes.username, password: made }
}
