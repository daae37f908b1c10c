import type { SettingsAnswer } from '../../../shared/api/settings.ts'
import { type User, UserInput } from '../../../shared/api/users.ts'
import { t } from '../../lib/i18n/index.ts'
import type { Problems } from '../../lib/refusal.ts'
import { draftRules, type RuleDraft, rulesOf } from '../../ui/rules/rules.ts'
import { wordsOf } from '../../ui/user-fields.tsx'
import { schemaProblems } from '../settings/validate.ts'

/** A user as a form holds it: lists are text. */
export interface UserDraft {
  user: User
  commands: string
  rules: readonly RuleDraft[]
  /** Whether a new user gets a home folder instead of a scope; the scope is kept for when this is unchecked. */
  ownHome: boolean
}

export function draftOf(user: User, ownHome = false): UserDraft {
  return { user, commands: user.commands.join(' '), rules: draftRules(user.rules), ownHome }
}

/** A new user starts with the defaults. */
export function newUserOf({ defaults, createUserDir }: SettingsAnswer): UserDraft {
  const user = { ...defaults, id: 0, username: '', password: '', lockPassword: false, rules: [] }
  return draftOf(user, createUserDir)
}

/** The request. An empty scope has the server create a home folder (http-api 16.4). */
export function wireOf({ user, commands, rules, ownHome }: UserDraft): User {
  return {
    ...user,
    scope: ownHome ? '' : user.scope,
    lockPassword: user.lockPassword && !user.perm.admin,
    commands: wordsOf(commands),
    rules: rulesOf(rules),
  }
}

/** Client-side validation, by field. */
export function problemsIn(user: User): Problems {
  const problems: Record<string, string> = {}
  if (user.username === '') problems.username = t('fields.usernameEmpty')
  if (user.id === 0 && user.password === '') problems.password = t('fields.passwordEmpty')
  return { ...schemaProblems(UserInput, user), ...problems }
}
