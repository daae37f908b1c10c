import type { UserInput } from '../../../shared/api/users.ts'
import { AppError } from '../../errors.ts'
import { checkRules, cleanFolder } from '../settings/checks.ts'
import { completePermissions, completeRules, completeSorting } from '../settings/complete.ts'
import type { NewUser } from './users.store.ts'

/** Every field of a user that a request can set, except the password. */
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

/**
 * Fields that only administrators set (http-api 11), and those that need the caller's password where the host requires
 * it.
 */
const ADMINISTRATIVE: readonly UserField[] = ['username', 'scope', 'lockPassword', 'perm', 'commands', 'rules']
const SENSITIVE: readonly UserField[] = ['password', ...ADMINISTRATIVE]

/** The fields that `which` selects: every field (`all`), or some. */
export interface Selection {
  all: boolean
  fields: readonly UserField[]
}

/**
 * Parses `which`. Field names are case-insensitive, so that no spelling evades a check; an empty list means all fields.
 * @throws AppError `bad_request` for an unknown field, and for `all` with others
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
 * The selected fields of a request's data, complete and validated, without the password.
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
