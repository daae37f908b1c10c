import type { SignInTrial, TrialStep } from '../../../shared/api/trials.ts'
import { groupsByKey, keyOf } from '../groups/groups.store.ts'
import type { AccountDeps } from '../users/accounts.ts'
import { type Described, foreseenAccount, type NewcomerRules } from './account.ts'
import { type GroupChoice, importedGroups, isAllowed, mappedGroups } from './claimed-groups.ts'
import type { Identity } from './identities.store.ts'
import { SignInProblem } from './problem.ts'
import { reasonIn } from './sources.ts'

/** The longest value and reason that is shown, in characters, and the most values. */
const [LONGEST, MOST] = [500, 100]

/** Called for each step of a sign-in as it begins. */
export type Watch = (step: TrialStep['step'], found?: string) => void

/** Watches nothing. */
export const UNWATCHED: Watch = () => {}

/** What arrived of a user. */
export interface Arrived {
  identity: Identity
  described: Described
  claims: readonly (readonly [name: string, value: string])[]
  groups: { names: readonly string[]; titles: readonly string[] }
  /** Why this user is refused, whatever the groups say. */
  problem?: SignInProblem
}

/** A trial, as it is kept for the administrator who began it. */
export interface KeptTrial {
  userId: number
  trial: SignInTrial
}

/**
 * Goes through a sign-in step by step.
 * @param act names each step as it begins
 * @returns the steps, of which the last one failed where there is no result
 */
export async function stepwise<T>(
  act: (watch: Watch) => Promise<T>,
): Promise<{ steps: TrialStep[]; result?: T; error?: unknown }> {
  const steps: TrialStep[] = []
  const watch: Watch = (step, found) => {
    // Another server of a directory begins again.
    const again = steps.findIndex(known => known.step === step)
    if (again >= 0) steps.length = again
    steps.push({ step, ...(found !== undefined && { found: cut(found) }) })
  }
  try {
    return { steps, result: await act(watch) }
  } catch (error) {
    const last = steps.pop()
    if (!last) throw error
    return { steps: [...steps, { ...last, failed: cut(reasonIn(error)) }], error }
  }
}

/** What follows from what arrived of a user: groups and the account. Changes nothing. */
export async function consequences(
  deps: AccountDeps,
  settings: NewcomerRules & GroupChoice,
  { identity, described, claims, groups: { names, titles }, problem }: Arrived,
): Promise<NonNullable<SignInTrial['arrived']>> {
  const known = await groupsByKey(deps.db)
  const mapped = [...new Set(mappedGroups(names, settings))]
  const isHere = (group: string) => known.has(keyOf(group))
  const refusal = problem ?? (isAllowed(names, settings) ? undefined : NOT_ALLOWED())
  return {
    claims: claims.slice(0, MOST).map(([key, value]) => ({ name: cut(key), value: cut(value) })),
    groups: titles.slice(0, MOST).map(cut),
    groupsHere: [...mapped.filter(isHere), ...importedGroups(titles, settings)].slice(0, MOST).map(cut),
    groupsMissing: mapped.filter(group => !isHere(group)).slice(0, MOST),
    account: await account(deps, settings, { identity, described, refusal }),
  }
}

const NOT_ALLOWED = () => new SignInProblem('not_allowed', 'no group of the user is allowed')

async function account(
  deps: AccountDeps,
  settings: NewcomerRules,
  { identity, described, refusal }: Pick<Arrived, 'identity' | 'described'> & { refusal: SignInProblem | undefined },
): Promise<NonNullable<SignInTrial['arrived']>['account']> {
  try {
    if (refusal) throw refusal
    const { username, isNew } = await foreseenAccount(deps, settings, identity, described)
    return { outcome: isNew ? 'new' : 'known', username }
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error
    return {
      outcome: 'refused',
      username: cut(described.name ?? ''),
      problem: error.problem,
      reason: cut(reasonIn(error)),
    }
  }
}

const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`)
