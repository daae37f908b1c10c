import * as z from 'zod/mini'
import { PermissionsInput, Rule, RulesInput, SortingInput, User, ViewModeInput } from './users.ts'

/** Events that commands can be hooked to (http-api 15.5, 17). */
export const COMMAND_EVENTS = [
  'before_save',
  'after_save',
  'before_copy',
  'after_copy',
  'before_rename',
  'after_rename',
  'before_upload',
  'after_upload',
  'before_delete',
  'after_delete',
] as const
export type CommandEvent = (typeof COMMAND_EVENTS)[number]

/** Authentication methods (http-api 18). */
export const AUTH_METHODS = ['json', 'proxy', 'hook', 'noauth'] as const
export type AuthMethodName = (typeof AUTH_METHODS)[number]

export const THEMES = ['', 'light', 'dark', 'auto'] as const
export type Theme = (typeof THEMES)[number]

/** The accent colour: `#rgb` or `#rrggbb`. */
export const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Defaults for new users; users who sign up get them without the dangerous parts. */
export const UserDefaults = z.pick(User, {
  scope: true,
  locale: true,
  viewMode: true,
  singleClick: true,
  redirectAfterCopyMove: true,
  sorting: true,
  perm: true,
  commands: true,
  hideDotfiles: true,
  dateFormat: true,
  aceEditorTheme: true,
})
export type UserDefaults = z.infer<typeof UserDefaults>

export const Branding = z.object({
  name: z.string(),
  disableExternal: z.boolean(),
  disableUsedPercentage: z.boolean(),
  /** Folder on the host with `img/…` and `custom.css`. */
  files: z.string(),
  theme: z.enum(THEMES),
  /** Accent of the interface and theme colour of the browser; `''` for the product's own. */
  color: z.string(),
})
export type Branding = z.infer<typeof Branding>

/** The stored settings of the instance (http-api 15.5). */
export const Settings = z.object({
  signup: z.boolean(),
  hideLoginButton: z.boolean(),
  createUserDir: z.boolean(),
  /** Bytes. */
  minimumPasswordLength: z.int(),
  /** Folder of the homes of new users, in the served root. */
  userHomeBasePath: z.string(),
  defaults: UserDefaults,
  rules: z.array(Rule),
  branding: Branding,
  /** `chunkSize` in bytes. */
  tus: z.object({ chunkSize: z.int(), retryCount: z.int() }),
  shell: z.array(z.string()),
  commands: z.record(z.enum(COMMAND_EVENTS), z.array(z.string())),
})
export type Settings = z.infer<typeof Settings>

/** Response of `GET /api/settings`. The authentication method is read-only here and set on the host. */
export const SettingsAnswer = z.extend(Settings, { authMethod: z.enum(AUTH_METHODS) })
export type SettingsAnswer = z.infer<typeof SettingsAnswer>

const text = (longest: number) => z.nullish(z.string().check(z.maxLength(longest)))
const flag = z.nullish(z.boolean())
const lines = z.nullish(z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(1000)))

const DefaultsInput = z.object({
  scope: text(4096),
  locale: text(64),
  viewMode: ViewModeInput,
  singleClick: flag,
  redirectAfterCopyMove: flag,
  sorting: SortingInput,
  perm: PermissionsInput,
  commands: lines,
  hideDotfiles: flag,
  dateFormat: flag,
  aceEditorTheme: text(64),
})

const BrandingInput = z.object({
  name: text(256),
  disableExternal: flag,
  disableUsedPercentage: flag,
  files: text(4096),
  theme: z.nullish(z.enum(THEMES)),
  color: text(64),
})

const TusInput = z.object({
  chunkSize: z.nullish(z.int().check(z.minimum(0), z.maximum(2 ** 40))),
  retryCount: z.nullish(z.int().check(z.minimum(0), z.maximum(1000))),
})

/**
 * Body of `PUT /api/settings`: all the settings; omitted ones return to the defaults of a new installation. Unknown
 * fields are ignored, `authMethod` among them.
 */
export const SettingsInput = z.object({
  signup: flag,
  hideLoginButton: flag,
  createUserDir: flag,
  minimumPasswordLength: z.nullish(z.int().check(z.minimum(0), z.maximum(1024))),
  userHomeBasePath: text(4096),
  defaults: z.nullish(DefaultsInput),
  rules: RulesInput,
  branding: z.nullish(BrandingInput),
  tus: z.nullish(TusInput),
  shell: lines,
  commands: z.nullish(z.record(z.string(), lines)),
})
export type SettingsInput = z.infer<typeof SettingsInput>
