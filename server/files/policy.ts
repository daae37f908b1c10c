import type { Rule, User } from '../../shared/api/users.ts'
import type { FilePath } from '../../shared/path.ts'
import { allows, type Effect } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import { compileRules, deniedPlaces } from './rules.ts'

/** The part of a user that decides what they may do with files, and the name that hooks are told, if they are anybody. */
export type Actor = Pick<User, 'scope' | 'perm' | 'rules' | 'hideDotfiles'> & Partial<Pick<User, 'username'>>

/** What one user may do, asked by effect and by path; paths are relative to the user's scope. */
export interface Policy {
  /** @throws AppError `forbidden` unless the user has the permissions the effect needs */
  demand(effect: Effect): void
  may(effect: Effect): boolean
  /** Whether rules and hidden names let the path be used. The same answer whether or not the thing exists. */
  sees(path: FilePath): boolean
  /** What is denied by its path, for those who cannot ask about each name; `undefined` when that is not all. */
  deniedPlaces(): readonly FilePath[] | undefined
  /** Whether there is any rule at all, so that questions about every entry of a tree can be spared. */
  readonly restricts: boolean
}

export function policyFor(actor: Actor, globalRules: readonly Rule[]): Policy {
  const rules = [...globalRules, ...actor.rules]
  const sees = compileRules(rules, actor.hideDotfiles)
  return {
    demand(effect) {
      if (!allows(actor.perm, effect)) throw new AppError('forbidden')
    },
    may: effect => allows(actor.perm, effect),
    sees,
    deniedPlaces: () => deniedPlaces(rules, sees),
    restricts: rules.length > 0 || actor.hideDotfiles,
  }
}
