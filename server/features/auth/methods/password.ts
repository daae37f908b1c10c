import type { Db } from '../../../db/schema.ts'
import { AppError } from '../../../errors.ts'
import { hashPassword, isOutdated, verifyDummy, verifyPassword } from '../../users/password.ts'
import { findUserByName, rehashPassword, type StoredUser } from '../../users/users.store.ts'
import { demandCaptcha } from '../captcha.ts'
import type { AuthMethod, UserDirectories } from '../method.ts'

/**
 * Name and password against the stored hash or a directory, with a captcha where one is set up; `json` in the API
 * (http-api 18).
 */
export function passwordMethod(db: Db, directories?: UserDirectories): AuthMethod {
  return {
    loginPage: true,
    freeGuesses: async username => directories?.freeGuesses(username),
    async authenticate(attempt, settings) {
      await demandCaptcha(settings, attempt.recaptcha)
      const found = await directories?.authenticate(attempt)
      if (found) return { ...found.user, directory: found.directory }
      return userByPassword(db, attempt.username, attempt.password)
    },
  }
}

/** The user with this name and password. @throws AppError `wrong_credentials`, after the same time in every case */
export async function userByPassword(db: Db, username: string, password: string): Promise<StoredUser> {
  const user = await findUserByName(db, username)
  if (!user) {
    await verifyDummy(password)
    throw new AppError('wrong_credentials')
  }
  const isRight = await verifyPassword(password, user.passwordHash)
  if (!isRight || user.isDisabled) throw new AppError('wrong_credentials')
  if (isOutdated(user.passwordHash)) await rehashPassword(db, user, await hashPassword(password))
  return user
}
