import type { AuditWay } from '../../../shared/api/audit.ts'
import type { AuthMethodName } from '../../../shared/api/settings.ts'
import type { Db } from '../../db/schema.ts'
import type { AuthSettings } from '../settings/auth-settings.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import type { StoredUser } from '../users/users.store.ts'
import type { SessionProvider } from './sessions.ts'

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

/** A user, and how a directory of the host vouches for them. */
export interface DirectoryUser {
  user: StoredUser
  /** The directory, as its sessions name it. */
  directory: string
}

/** The directories of the host that check passwords of their users. */
export interface UserDirectories {
  /**
   * @returns nothing where the local password decides
   * @throws AppError `wrong_credentials`, `identity_refused`, `provider_unavailable`
   */
  authenticate(attempt: LoginAttempt): Promise<DirectoryUser | undefined>
  /** Wrong passwords of a name that are free; nothing where the local password decides. */
  freeGuesses(username: string): Promise<number | undefined>
}

/** Who signed in. */
export interface Authenticated extends StoredUser {
  /** The directory that checked the password, if one did. */
  directory?: string
}

/** A way to authenticate a user. It receives its settings with each attempt, so that a change applies at once. */
export interface AuthMethod {
  /** Whether users sign in on the built-in login page. */
  loginPage: boolean
  /**
   * Must take the same time and give the same answer for a wrong password and for an unknown name.
   * @throws AppError `wrong_credentials`; `unavailable` when credentials cannot be verified; as `UserDirectories`
   */
  authenticate(attempt: LoginAttempt, settings: AuthSettings): Promise<Authenticated>
  /** Whether every user may sign in with a password kept here; missing where the method has no such choice. */
  isOpenToAll?(settings: AuthSettings): boolean
  /** Wrong passwords of a name that are free, where they are fewer than usual. */
  freeGuesses?(username: string): Promise<number | undefined>
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

/** How the session of a user begins. */
export function startOf(
  { directory }: Authenticated,
  method: AuthMethodName,
): { way: AuditWay; from?: SessionProvider } {
  if (directory !== undefined) return { way: 'ldap', from: { provider: directory, sid: '', idToken: '' } }
  return { way: method === 'json' ? 'session' : method }
}
