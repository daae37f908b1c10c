import type { AuthMethodName } from '../../../shared/api/settings.ts'
import type { Db } from '../../db/schema.ts'
import type { AuthSettings } from '../settings/auth-settings.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import type { StoredUser } from '../users/users.store.ts'

export interface LoginAttempt {
  username: string
  password: string
  /** The answer to the captcha, `''` if there is none. */
  recaptcha: string
  /** Address of whoever opened the connection: the person, or the proxy in front of us. */
  peer: string
  /** Names and values of the request's headers as they came, in turn. */
  rawHeaders: readonly string[]
}

/** A way to find out who somebody is. It gets its settings with each attempt, so that a change counts at once. */
export interface AuthMethod {
  /** Whether people sign in on our login page. */
  loginPage: boolean
  /**
   * Must take the same time and give the same answer for a wrong password and for an unknown name.
   * @throws AppError `wrong_credentials`; `unavailable` when nobody can be judged
   */
  authenticate(attempt: LoginAttempt, settings: AuthSettings): Promise<StoredUser>
}

/** Every method by its name on the wire. */
export type AuthMethods = Record<AuthMethodName, AuthMethod>

/** The method in force, with its settings. */
export async function currentMethod(
  db: Db,
  methods: AuthMethods,
): Promise<{ method: AuthMethod; settings: AuthSettings }> {
  const settings = await readAuthSettings(db)
  return { method: methods[settings.method], settings }
}
