import type { UserInput } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { checkRules, cleanFolder } from '../settings/checks.ts'
import { completePermissions, completeRules, completeSorting } from '../settings/complete.ts'
import type { NewUser } from './users.store.ts'

/** Everything of a user that a request can set, the password apart. */
export type UserFields = Omit<NewUser, 'passwordHash'>

const SETTABLE = [
  'username',
  'password',
  'scope',
  'locale',
  'lockPassword',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'perm',
  'commands',
  'sorting',
  'rules',
  'hideDotfiles',
  'dateFormat',
  'aceEditorTheme',
] as const
export type UserField = (typeof SETTABLE)[number]

/** What only administrators set (http-api 11), and what needs the own password where the host demands it. */
const ADMINISTRATIVE: readonly UserField[] = ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules']
const SENSITIVE: readonly UserField[] = ['password', ...ADMINISTRATIVE]

/** What a `which` asks for: every field (`all`), or some. */
export interface Selection {
  all: boolean
  fields: readonly UserField[]
}

/**
 * Reads `which`. Names count in any case, so that no spelling slips past a rule; an empty list means everything.
 * @throws AppError `bad_request` for a field that does not exist, and for `all` beside others
 */
export function selectFields(which: readonly string[] | null | undefined): Selection {
  const names = (which ?? []).map(name => name.toLowerCase())
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return { all: true, fields: SETTABLE }
  return { all: false, fields: [...new Set(names.map(findField))] }
}

function findField(name: string): UserField {
  const field = SETTABLE.find(known => known.toLowerCase() === name)
  if (!field) throw new AppError('bad_request', 'which: names a field that does not exist')
  return field
}

export const needsAdmin = ({ all, fields }: Selection) => all || fields.some(field => ADMINISTRATIVE.includes(field))
export const isSensitive = ({ all, fields }: Selection) => all || fields.some(field => SENSITIVE.includes(field))

/**
 * The selected fields of a request's data, complete and checked; the password is not among them.
 * @throws AppError `bad_request` naming the field
 */
export function readFields(data: UserInput, { fields }: Selection): Partial<UserFields> {
  const whole = completeFields(data)
  const entries = Object.entries(whole).filter(([name]) => fields.some(field => field === name))
  const selected: Partial<UserFields> = Object.fromEntries(entries)
  if (selected.username === '') throw new AppError('bad_request', 'username is empty')
  if (selected.scope) selected.scope = cleanFolder(selected.scope, 'data.scope')
  if (selected.rules) checkRules(selected.rules, 'data.rules')
  if (selected.perm?.share && !selected.perm.download) {
    throw new AppError('bad_request', 'permission to share requires permission to download')
  }
  return selected
}

/** Every field; a missing one has its zero value (http-api 15.4). */
export function completeFields(data: UserInput): UserFields {
  return {
    username: data.username ?? '',
    scope: data.scope ?? '',
    locale: data.locale ?? '',
    lockPassword: data.lockPassword ?? false,
    viewMode: data.viewMode || 'list',
    singleClick: data.singleClick ?? false,
    redirectAfterCopyMove: data.redirectAfterCopyMove ?? false,
    perm: completePermissions(data.perm),
    commands: data.commands ?? [],
    sorting: completeSorting(data.sorting),
    rules: completeRules(data.rules),
    hideDotfiles: data.hideDotfiles ?? false,
    dateFormat: data.dateFormat ?? false,
    aceEditorTheme: data.aceEditorTheme ?? '',
  }
}
