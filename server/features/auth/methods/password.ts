import type { Db } from '../../../db/schema.ts'
import { AppError } from '../../../errors.ts'
import { actingUser } from '../../groups/acting-user.ts'
import type { AuthSettings, PasswordLogin } from '../../settings/auth-settings.ts'
import { hashPassword, isOutdated, verifyDummy, verifyPassword } from '../../users/password.ts'
import { findUserByName, rehashPassword, type StoredUser } from '../../users/users.store.ts'
import { demandCaptcha } from '../captcha.ts'
import type { AuthMethod, UserDirectories } from '../method.ts'

export interface PasswordDeps {
  directories?: UserDirectories
  /** Whether the host names OpenID providers: without one, every user may sign in with a password. */
  hasProviders?: boolean
}

/**
 * Name and password against the stored hash or a directory, with a captcha where one is set up; `json` in the API
 * (http-api 18). Where passwords are closed, no directory is asked.
 */
export function passwordMethod(db: Db, { directories, hasProviders = false }: PasswordDeps = {}): AuthMethod {
  const openToNow = ({ passwordLogin }: AuthSettings): PasswordLogin => (hasProviders ? passwordLogin : 'everybody')
  return {
    loginPage: true,
    isOpenToAll: settings => openToNow(settings) === 'everybody',
    freeGuesses: async username => directories?.freeGuesses(username),
    async authenticate(attempt, settings) {
      await demandCaptcha(settings, attempt.recaptcha)
      const openTo = openToNow(settings)
      const found = openTo === 'everybody' ? await directories?.authenticate(attempt) : undefined
      if (found) return { ...found.user, directory: found.directory }
      return userByPassword(db, attempt.username, attempt.password, openTo)
    },
  }
}

/**
 * The user with this name and password.
 * @param openTo who may sign in with a password
 * @throws AppError `wrong_credentials`, after the same time in every case
 */
export async function userByPassword(
  db: Db,
  username: string,
  password: string,
  openTo: PasswordLogin = 'everybody',
): Promise<StoredUser> {
  const user = await findUserByName(db, username)
  if (!user) {
    await verifyDummy(password)
    throw new AppError('wrong_credentials')
  }
  const isRight = await verifyPassword(password, user.passwordHash)
  // Asked whether or not the password is right, so that the time does not tell which it is.
  const isOpen = await isOpenTo(db, user, openTo)
  if (!isRight || !isOpen || user.isDisabled) throw new AppError('wrong_credentials')
  if (isOutdated(user.passwordHash)) await rehashPassword(db, user, await hashPassword(password))
  return user
}

async function isOpenTo(db: Db, user: StoredUser, openTo: PasswordLogin): Promise<boolean> {
  return openTo === 'everybody' || (openTo === 'admins' && (await actingUser(db, user)).perm.admin)
}
