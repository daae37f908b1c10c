import { AUTH_METHODS, THEMES } from '../../../shared/api/settings.ts'
import { OPEN_SETTINGS } from '../../config/open-settings.ts'
import type { Setting } from '../../config/setting.ts'
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
  fieldFlag('recaptcha.host', 'text', 'recaptcha.host', 'URL of the captcha service.'),
  fieldFlag('recaptcha.key', 'text', 'recaptcha.key', 'Key of the captcha service.'),
  fieldFlag('recaptcha.secret', 'text', 'recaptcha.secret', 'Secret of the captcha service.'),
]

/** Flags of the server with the names of http-api 15.6. */
const OF_CONTRACT: readonly FieldFlag[] = [
  fieldFlag('root', 'text', 'root', 'Folder to serve.', { short: 'r' }),
  fieldFlag('address', 'text', 'address', 'Address to listen on.', { short: 'a' }),
  fieldFlag('port', 'text', 'port', 'Port to listen on.', { short: 'p' }),
  fieldFlag('baseURL', 'text', 'baseURL', 'Path prefix under a reverse proxy.', {
    short: 'b',
    aliases: ['baseurl', 'base-url'],
  }),
  fieldFlag('socket', 'text', 'socket', 'Unix socket to listen on, instead of address and port.'),
  fieldFlag('cert', 'text', 'tlsCert', 'TLS certificate (PEM), for HTTPS.', { short: 't' }),
  fieldFlag('key', 'text', 'tlsKey', 'Private key (PEM) of the certificate.', { short: 'k' }),
  fieldFlag('log', 'text', 'log', 'Log destination.', { short: 'l' }),
  fieldFlag('fileMode', 'text', 'fileMode', 'Mode of new files, in octal.', { aliases: ['file-mode'] }),
  fieldFlag('dirMode', 'text', 'dirMode', 'Mode of new folders, in octal.', { aliases: ['dir-mode'] }),
  fieldFlag('tokenExpirationTime', 'text', 'tokenExpirationTime', 'Lifetime of a session token.', {
    aliases: ['token-expiration-time'],
  }),
  fieldFlag('disableExec', 'inverse', 'enableExec', 'Run no programs for users or hooks.', {
    aliases: ['disable-exec'],
  }),
  fieldFlag('disableThumbnails', 'inverse', 'enableThumbnails', 'Make no thumbnails.', {
    aliases: ['disable-thumbnails'],
  }),
  fieldFlag('disablePreviewResize', 'inverse', 'resizePreview', 'Show images in full size only.', {
    aliases: ['disable-preview-resize'],
  }),
  fieldFlag('disableTypeDetectionByHeader', 'inverse', 'typeDetectionByHeader', 'Detect file types by name only.', {
    aliases: ['disable-type-detection-by-header'],
  }),
  fieldFlag(
    'disableImageResolutionCalc',
    'inverse',
    'imageResolutionCalculation',
    'Do not read the dimensions of images.',
    {
      aliases: ['disable-image-resolution-calc'],
    },
  ),
  fieldFlag('followExternalSymlinks', 'switch', 'followExternalSymlinks', 'Follow symbolic links out of a scope.', {
    aliases: ['follow-external-symlinks'],
  }),
]

/** Flags of open settings that are not in http-api 15.6; `''` removes a value. */
const OPEN_FLAGS: readonly FieldFlag[] = Object.entries<Setting>(OPEN_SETTINGS).flatMap(
  ([name, { flag = name, aliases = [], boolean, doc }]) =>
    OF_CONTRACT.some(known => known.flag === flag)
      ? []
      : [fieldFlag(flag, boolean ? 'mark' : 'text', `kept.${name}`, doc, { aliases })],
)

/** Flags of the server that the database stores, with the same meaning as at the start. */
export const SERVER_FLAGS: readonly FieldFlag[] = [...OF_CONTRACT, ...OPEN_FLAGS]

/** Flags of older scripts, without effect. */
export const IDLE_FLAGS: readonly DescribedFlag[] = [
  { flag: 'socketPerm', aliases: ['socket-perm'], doc: 'No effect here; pass it to the server.' },
  { flag: 'cacheDir', aliases: ['cache-dir'], doc: 'No effect here; pass it to the server.' },
  { flag: 'redisCacheUrl', aliases: ['redis-cache-url'], doc: 'No effect.' },
]

export const CONFIG_FLAGS: readonly DescribedFlag[] = [...SETTINGS_FLAGS, ...AUTH_FLAGS, ...SERVER_FLAGS, ...IDLE_FLAGS]
