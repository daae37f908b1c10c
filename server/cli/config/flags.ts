import { AUTH_METHODS, THEMES } from '../../../shared/api/settings.ts'
import { ALL_SETTINGS, isInterfaceSetting } from '../../config/settings.ts'
import { PASSWORD_LOGINS } from '../../features/settings/auth-settings.ts'
import { isOpposite, SERVER_FIELDS } from '../../features/settings/server-settings.ts'
import type { DescribedFlag } from '../command.ts'
import { type FieldFlag, fieldFlag } from '../fields.ts'
import { DEFAULTS_FLAGS } from '../user-flags.ts'

/** Defaults of new users have the flags of a user. */
const DEFAULTS = DEFAULTS_FLAGS.map(flag => ({
  ...flag,
  field: `defaults.${flag.field}`,
  doc: `New users: ${flag.doc}`,
}))

/** Flags of settings (http-api 19.2). */
export const SETTINGS_FLAGS: readonly FieldFlag[] = [
  fieldFlag('signup', 'switch', 'signup', 'Let visitors create their own accounts.', { short: 's' }),
  fieldFlag('hideLoginButton', 'switch', 'hideLoginButton', 'Hide the sign-in button on share pages.', {
    aliases: ['hide-login-button'],
  }),
  fieldFlag('createUserDir', 'switch', 'createUserDir', 'Create a home folder for every new user.', {
    aliases: ['create-user-dir'],
  }),
  fieldFlag('userHomeBasePath', 'text', 'userHomeBasePath', 'Parent of the home folders.'),
  fieldFlag('minimumPasswordLength', 'number', 'minimumPasswordLength', 'Minimum length of a password, in bytes.', {
    aliases: ['minimum-password-length'],
  }),
  fieldFlag('shell', 'words', 'shell', 'Shell that runs hooks and commands, with its arguments.'),
  fieldFlag('branding.name', 'text', 'branding.name', 'Name shown instead of Filigree.'),
  fieldFlag('branding.theme', 'text', 'branding.theme', `Theme: ${THEMES.filter(Boolean).join(', ')}.`),
  fieldFlag(
    'branding.color',
    'text',
    'branding.color',
    'Accent colour of the interface and of the browser toolbar, such as #00707b.',
  ),
  fieldFlag('branding.files', 'text', 'branding.files', 'Folder with your logo, icons and custom.css.'),
  fieldFlag('branding.disableExternal', 'switch', 'branding.disableExternal', 'Hide links to other sites.'),
  fieldFlag('branding.disableUsedPercentage', 'switch', 'branding.disableUsedPercentage', 'Hide the disk usage.'),
  fieldFlag('tus.chunkSize', 'number', 'tus.chunkSize', 'Chunk size of uploads, in bytes.'),
  fieldFlag('tus.retryCount', 'number', 'tus.retryCount', 'Number of retries for a chunk.'),
  ...DEFAULTS,
]

/** Flags of authentication. */
export const AUTH_FLAGS: readonly FieldFlag[] = [
  fieldFlag('auth.method', 'text', 'method', `Authentication method: ${AUTH_METHODS.join(', ')}.`),
  fieldFlag('auth.header', 'text', 'header', 'Method proxy: request header with the user name.'),
  fieldFlag('auth.command', 'text', 'command', 'Method hook: program that authenticates users.'),
  fieldFlag('auth.logoutPage', 'text', 'logoutPage', 'URL to open after signing out.'),
  fieldFlag(
    'auth.createUsers',
    'switch',
    'createUsers',
    'Methods proxy and hook: create accounts on the first sign-in.',
  ),
  fieldFlag(
    'auth.passwordLogin',
    'text',
    'passwordLogin',
    `With OpenID providers: who may still sign in with a password: ${PASSWORD_LOGINS.join(', ')}.`,
    { aliases: ['access.passwordLogin'] },
  ),
  fieldFlag('recaptcha.host', 'text', 'recaptcha.host', 'URL of the captcha service.'),
  fieldFlag('recaptcha.key', 'text', 'recaptcha.key', 'Key of the captcha service.'),
  fieldFlag('recaptcha.secret', 'text', 'recaptcha.secret', 'Secret of the captcha service.'),
]

/** Flags of the server that the database stores, with the same meaning as at the start; `''` removes a value. */
export const SERVER_FLAGS: readonly FieldFlag[] = ALL_SETTINGS.flatMap(setting => {
  const { name, flag, boolean, doc, short, aliases } = setting
  const field = SERVER_FIELDS[name]
  if (flag === undefined || (field === undefined && !isInterfaceSetting(name))) return []
  const kind = !boolean ? 'text' : field === undefined ? 'mark' : isOpposite(name) ? 'inverse' : 'switch'
  return fieldFlag(flag, kind, field ?? `kept.${name}`, doc, { aliases, ...(short && { short }) })
})

/** Flags of older scripts, without effect. */
export const IDLE_FLAGS: readonly DescribedFlag[] = [
  { flag: 'socketPerm', aliases: ['socket-perm'], doc: 'No effect here; pass it to the server.' },
  { flag: 'cacheDir', aliases: ['cache-dir'], doc: 'No effect here; pass it to the server.' },
  { flag: 'redisCacheUrl', aliases: ['redis-cache-url'], doc: 'No effect.' },
]

export const CONFIG_FLAGS: readonly DescribedFlag[] = [...SETTINGS_FLAGS, ...AUTH_FLAGS, ...SERVER_FLAGS, ...IDLE_FLAGS]
