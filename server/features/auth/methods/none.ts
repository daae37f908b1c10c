import type { Db } from '../../../db/schema.ts'
import { AppError } from '../../../errors.ts'
import { findUser } from '../../users/users.store.ts'
import type { AuthMethod } from '../method.ts'

/** The user that everybody is (http-api 18). */
const EVERYBODY = 1

/** Nobody is asked anything: everybody is the first user; `noauth` on the wire. */
export function noMethod(db: Db): AuthMethod {
  return {
    loginPage: false,
    async authenticate() {
      const user = await findUser(db, EVERYBODY)
      if (!user) throw new AppError('unavailable', `signing in without a password needs user ${EVERYBODY}, who is gone`)
      return user
    },
  }
}
