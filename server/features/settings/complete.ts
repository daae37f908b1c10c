import type { z } from 'zod/mini'
import {
  COMMAND_EVENTS,
  type CommandEvent,
  type Settings,
  type SettingsInput,
  type UserDefaults,
} from '../../../shared/api/settings.ts'
import type { PermissionsInput, Rule, RulesInput, SortingInput } from '../../../shared/api/users.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS, PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import { DEFAULT_SORTING, type Sorting } from '../../../shared/sorting.ts'

/** The default folder of homes (http-api 15.5). */
const HOMES = '/users'
const MINIMUM_PASSWORD_LENGTH = 12
const TUS = { chunkSize: 10 * 1024 * 1024, retryCount: 5 }
/** The default permissions of a new user on a new installation. */
const USUAL_PERMISSIONS: Permissions = { ...ALL_PERMISSIONS, admin: false }

/** Settings with every gap filled: missing, null or empty values have the default of http-api 15.5. */
export function completeSettings(input: SettingsInput): Settings {
  const { branding, tus, commands } = input
  return {
    signup: input.signup ?? false,
    hideLoginButton: input.hideLoginButton ?? false,
    createUserDir: input.createUserDir ?? false,
    minimumPasswordLength: input.minimumPasswordLength || MINIMUM_PASSWORD_LENGTH,
    userHomeBasePath: input.userHomeBasePath || HOMES,
    defaults: completeDefaults(input.defaults),
    rules: completeRules(input.rules),
    branding: {
      name: branding?.name ?? '',
      disableExternal: branding?.disableExternal ?? false,
      disableUsedPercentage: branding?.disableUsedPercentage ?? false,
      files: branding?.files ?? '',
      theme: branding?.theme ?? 'auto',
      color: branding?.color ?? '',
    },
    tus: {
      chunkSize: tus?.chunkSize || TUS.chunkSize,
      retryCount: tus?.chunkSize ? (tus.retryCount ?? 0) : TUS.retryCount,
    },
    shell: input.shell ?? [],
    commands: completeCommands(commands),
  }
}

/** Rules with every field; a missing one is false, empty or none. Not validated yet: see `checkRules`. */
export function completeRules(rules: z.infer<typeof RulesInput>): Rule[] {
  return (rules ?? []).map(({ regex, allow, path, regexp }) => ({
    regex: regex ?? false,
    allow: allow ?? false,
    path: path ?? '',
    regexp: regexp ? { raw: regexp.raw ?? '' } : null,
  }))
}

/** The sorting of a listing; by name unless given. */
export function completeSorting(sorting: z.infer<typeof SortingInput>): Sorting {
  return { by: sorting?.by || DEFAULT_SORTING.by, asc: sorting?.asc ?? DEFAULT_SORTING.asc }
}

/** Permissions; those that are not named are not granted. */
export function completePermissions(perm: z.infer<typeof PermissionsInput>): Permissions {
  const granted = PERMISSIONS.filter(name => perm?.[name] === true)
  return { ...NO_PERMISSIONS, ...Object.fromEntries(granted.map(name => [name, true])) }
}

function completeDefaults(defaults: SettingsInput['defaults']): UserDefaults {
  return {
    scope: defaults?.scope || '.',
    locale: defaults?.locale || 'en',
    viewMode: defaults?.viewMode || 'mosaic',
    singleClick: defaults?.singleClick ?? false,
    redirectAfterCopyMove: defaults?.redirectAfterCopyMove ?? !defaults,
    sorting: completeSorting(defaults?.sorting),
    perm: defaults ? completePermissions(defaults.perm) : USUAL_PERMISSIONS,
    commands: defaults?.commands ?? [],
    hideDotfiles: defaults?.hideDotfiles ?? false,
    dateFormat: defaults?.dateFormat ?? false,
    aceEditorTheme: defaults?.aceEditorTheme ?? '',
  }
}

/** Always all ten events: a client may omit those without a line (http-api 12). */
function completeCommands(commands: SettingsInput['commands']): Record<CommandEvent, string[]> {
  const all = COMMAND_EVENTS.map(event => [event, commands?.[event] ?? []] as const)
  return Object.fromEntries(all) as Record<CommandEvent, string[]>
}
