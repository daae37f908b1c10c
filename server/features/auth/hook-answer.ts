import { VIEW_MODES } from '../../../shared/api/users.ts'
import { ALL_PERMISSIONS, PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import { SORT_FIELDS, type Sorting } from '../../../shared/sorting.ts'
import { cleanFolder } from '../settings/checks.ts'
import type { NewUser } from '../users/users.store.ts'

/** The decision of a login hook, and the user fields it sets. */
export interface HookAnswer {
  action: string
  /** Values by their key, `user.` included. */
  fields: ReadonlyMap<string, string>
}

/** Parses `key=value` lines (http-api 18); a line of another form is ignored, of duplicate keys the last one counts. */
export function parseHookAnswer(output: string): HookAnswer {
  const lines = new Map<string, string>()
  for (const line of output.split('\n')) {
    const cut = line.indexOf('=')
    if (cut > 0) lines.set(line.slice(0, cut).trim(), line.slice(cut + 1).trim())
  }
  const fields = [...lines].filter(([key]) => KNOWN.has(key))
  return { action: lines.get('hook.action') ?? '', fields: new Map(fields) }
}

type HookFields = Omit<NewUser, 'username' | 'passwordHash' | 'lockPassword' | 'rules'>

const KNOWN: ReadonlySet<string> = new Set([
  'user.scope',
  'user.locale',
  'user.viewMode',
  'user.singleClick',
  'user.redirectAfterCopyMove',
  'user.sorting.by',
  'user.sorting.asc',
  'user.commands',
  'user.hideDotfiles',
  ...PERMISSIONS.map(name => `user.perm.${name}`),
])

/**
 * The user fields that the hook set; the others keep their present value.
 * @throws AppError `bad_request` for a scope that is not a valid folder
 */
export function hookFields({ fields }: HookAnswer, now: HookFields): Partial<HookFields> {
  const values: Partial<HookFields> = {}
  const text = (name: string) => fields.get(`user.${name}`)
  const scope = text('scope')
  if (scope) values.scope = cleanFolder(scope, 'user.scope')
  const locale = text('locale')
  if (locale !== undefined) values.locale = locale
  const viewMode = VIEW_MODES.find(mode => mode === text('viewMode'))
  if (viewMode) values.viewMode = viewMode
  for (const name of ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles'] as const) {
    const value = text(name)
    if (value !== undefined) values[name] = value === 'true'
  }
  const commands = text('commands')
  if (commands !== undefined) values.commands = commands.split(' ').filter(name => name !== '')
  if (fields.has('user.sorting.by') || fields.has('user.sorting.asc')) values.sorting = hookSorting(fields, now.sorting)
  if (PERMISSIONS.some(name => fields.has(`user.perm.${name}`))) values.perm = hookPermissions(fields, now.perm)
  return values
}

function hookSorting(fields: HookAnswer['fields'], now: Sorting): Sorting {
  const asc = fields.get('user.sorting.asc')
  return {
    by: SORT_FIELDS.find(field => field === fields.get('user.sorting.by')) ?? now.by,
    asc: asc === undefined ? now.asc : asc === 'true',
  }
}

/** An administrator has every permission (http-api 18); sharing requires downloading. */
function hookPermissions(fields: HookAnswer['fields'], now: Permissions): Permissions {
  if (fields.get('user.perm.admin') === 'true') return ALL_PERMISSIONS
  const perm = { ...now }
  for (const name of PERMISSIONS) {
    const value = fields.get(`user.perm.${name}`)
    if (value !== undefined) perm[name] = value === 'true'
  }
  return { ...perm, share: perm.share && perm.download }
}
