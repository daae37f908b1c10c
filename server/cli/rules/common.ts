import type { Rule } from '../../../shared/api/users.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { changeGroup } from '../../features/groups/groups.ts'
import { checkRules } from '../../features/settings/checks.ts'
import { readSettings, writeSettings } from '../../features/settings/settings.store.ts'
import { changeUser } from '../../features/users/accounts.ts'
import type { Arguments, DescribedFlag } from '../command.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { inTransaction } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from '../users/common.ts'

/** Selects the rules of a user or a group; the global rules without any. */
export const TARGET_FLAGS: readonly DescribedFlag[] = [
  { flag: 'username', short: 'u', doc: 'The rules of the user with this name.' },
  { flag: 'id', short: 'i', doc: 'The rules of the user with this id.' },
  { flag: 'group', short: 'g', doc: 'The rules of the group with this name or id.' },
]

interface RuleList {
  rules: readonly Rule[]
  store(rules: Rule[]): Promise<void>
}

/** The list of rules that the flags select. @throws AppError `not_found` */
async function openList(db: Db, flags: Arguments['flags']): Promise<RuleList> {
  const group = flags.get('group')
  if (group !== undefined) return openGroup(db, group)
  const word = flags.get('id') ?? flags.get('username')
  if (word === undefined) {
    const settings = await readSettings(db)
    return { rules: settings.rules, store: rules => writeSettings(db, { ...settings, rules }) }
  }
  const { id, rules } = await demandUser(db, word)
  return {
    rules,
    store: async changed => void (await changeUser({ db, cluster: openLocalCluster() }, id, { rules: changed })),
  }
}

async function openGroup(db: Db, word: string): Promise<RuleList> {
  const { id, ...fields } = await demandGroup(db, word)
  const store = async (rules: Rule[]) => void (await changeGroup(groupDeps(db), id, { ...fields, rules }))
  return { rules: fields.rules, store }
}

export async function listRules(db: Db, flags: Arguments['flags']): Promise<readonly Rule[]> {
  return (await openList(db, flags)).rules
}

/**
 * Replaces the list that the flags select, validated; applies from the next request.
 * @throws AppError `bad_request` for an invalid expression, `not_found`
 */
export function changeRules(db: Db, flags: Arguments['flags'], change: (rules: readonly Rule[]) => Rule[]) {
  return inTransaction(db, async transaction => {
    const { rules, store } = await openList(transaction, flags)
    const changed = change(rules)
    checkRules(changed, 'rules')
    await store(changed)
    return changed
  })
}

export function printRules(rules: readonly Rule[]): void {
  for (const [index, { regex, allow, path, regexp }] of rules.entries()) {
    const what = `${allow ? 'Allow' : 'Disallow'} ${regex ? 'Regex' : 'Path'}`
    console.log(`(${index}) ${what}: \t${printable(regex ? (regexp?.raw ?? '') : path)}`)
  }
}

/** @throws AppError `bad_request` for a path that could never match (http-api 16.1) */
export function refuseRelative(path: string): void {
  if (path === '' || path.startsWith('/')) return
  throw new AppError('bad_request', `A path in a rule must begin with a slash: /${path}`)
}
