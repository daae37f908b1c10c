import type { StoredUser } from '../users/users.store.ts'

export interface LoginAttempt {
  username: string
  password: string
}

/** A way to find out who somebody is. */
export interface AuthMethod {
  /** Whether people sign in on our login page. */
  loginPage: boolean
  /**
   * Must take the same time and give the same answer for a wrong password and for an unknown name.
   * @throws AppError `wrong_credentials`
   */
  authenticate(attempt: LoginAttempt): Promise<StoredUser>
}
