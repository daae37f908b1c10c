import type { AuthMethodName } from '../../../shared/api/settings.ts'
import type { Db } from '../../db/schema.ts'
import type { AuthSettings } from '../settings/auth-settings.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import type { StoredUser } from '../users/users.store.ts'

export interface LoginAttempt {
  username: string
  password: string
  /** The captcha response, `''` if there is none. */
  recaptcha: string
  /** The address of the peer: the client, or the reverse proxy. */
  peer: string
  /** Names and values of the request's headers as received, alternating. */
  rawHeaders: readonly string[]
}

/** A way to authenticate a user. It receives its settings with each attempt, so that a change applies at once. */
export interface AuthMethod {
  /** Whether users sign in on the built-in login page. */
  loginPage: boolean
  /**
   * Must take the same time and give the same answer for a wrong password and for an unknown name.
   * @throws AppError `wrong_credentials`; `unavailable` when credentials cannot be verified
   */
  authenticate(attempt: LoginAttempt, settings: AuthSettings): Promise<StoredUser>
}

/** Every method by its name in the API. */
export type AuthMethods = Record<AuthMethodName, AuthMethod>

/** The method in force, with its settings. */
export async function currentMethod(
  db: Db,
  methods: AuthMethods,
): Promise<{ method: AuthMethod; settings: AuthSettings }> {
  const settings = await readAuthSettings(db)
  return { method: methods[settings.method], settings }
}
