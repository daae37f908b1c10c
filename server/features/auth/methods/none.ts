import type { Db } from '../../../db/schema.ts'
import { AppError } from '../../../errors.ts'
import { findUser } from '../../users/users.store.ts'
import type { AuthMethod } from '../method.ts'

/** The user of every request (http-api 18). */
const FIRST_USER = 1

/** No authentication: every client is the first user; `noauth` in the API. */
export function noMethod(db: Db): AuthMethod {
  return {
    loginPage: false,
    async authenticate() {
      const user = await findUser(db, FIRST_USER)
      if (!user)
        throw new AppError('unavailable', `signing in without a password needs user ${FIRST_USER}, who does not exist`)
      return user
    },
  }
}
