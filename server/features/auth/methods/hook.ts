import { AppError } from '../../../errors.ts'
import type { ProgramRunner } from '../../../sandbox/run-program.ts'
import { readSettings } from '../../settings/settings.store.ts'
import { type AccountDeps, changeUser, safeDefaults } from '../../users/accounts.ts'
import { hashPassword, verifyPassword } from '../../users/password.ts'
import { findUserByName, type NewUser, type StoredUser } from '../../users/users.store.ts'
import { autoProvision } from '../auto-provision.ts'
import { type HookAnswer, hookFields, parseHookAnswer } from '../hook-answer.ts'
import { runLoginHook } from '../hook-run.ts'
import type { AuthMethod } from '../method.ts'
import { userByPassword } from './password.ts'

export interface HookDeps extends AccountDeps {
  config: {
    /** Whether the host disables running programs. */
    disableExec: boolean
  }
  endSessions(userId: number): Promise<void>
  programs: ProgramRunner
}

interface Credentials {
  username: string
  password: string
}

/** A program of the host authenticates users and may set their fields (http-api 18). */
export function hookMethod(deps: HookDeps): AuthMethod {
  return {
    loginPage: true,
    async authenticate({ username, password }, { command, createUsers }) {
      if (deps.config.disableExec) throw new AppError('unavailable', 'the host does not allow programs to be run')
      if (command === '') throw new AppError('unavailable', 'no login hook is set')
      refuseControl({ username, password })
      const answer = parseHookAnswer(await runLoginHook(deps.programs, command, { username, password }))
      switch (answer.action) {
        case 'auth':
          return admit(deps, { username, password }, answer, createUsers)
        case 'pass':
          return userByPassword(deps.db, username, password)
        case 'block':
          throw new AppError('wrong_credentials')
        default:
          throw new AppError('unavailable', 'the login hook gave no known action')
      }
    },
  }
}

/** A line break in a name must not become a line of a hook that echoes its input. */
function refuseControl({ username, password }: Credentials): void {
  if (username === '' || /\p{Cc}/u.test(username + password)) throw new AppError('wrong_credentials')
}

/** Creates the account at the first sign-in; updates it at every other. */
async function admit(deps: HookDeps, credentials: Credentials, answer: HookAnswer, createUsers: boolean) {
  const { username, password } = credentials
  const user = await findUserByName(deps.db, username)
  if (user) return refresh(deps, user, password, answer)
  if (!createUsers) throw new AppError('wrong_credentials')
  const values = hookFields(answer, safeDefaults(await readSettings(deps.db)))
  return autoProvision(deps, 'hook', { ...values, username, passwordHash: await hashPassword(password) })
}

/** Stores the fields that the hook set, and the password if it changed, which ends the sessions of the old one. */
async function refresh(deps: HookDeps, user: StoredUser, password: string, answer: HookAnswer): Promise<StoredUser> {
  const changes: Partial<NewUser> = hookFields(answer, user)
  const isSame = await verifyPassword(password, user.passwordHash)
  if (!isSame) changes.passwordHash = await hashPassword(password)
  if (Object.keys(changes).length === 0) return user
  const changed = await changeUser(deps, user.id, changes)
  if (!isSame) await deps.endSessions(user.id)
  return changed
}
