import { AUTH_METHODS, THEMES } from '../../../shared/api/settings.ts'
import { OPEN_SETTINGS } from '../../config/open-settings.ts'
import type { Setting } from '../../config/setting.ts'
import type { DescribedFlag } from '../command.ts'
import { type FieldFlag, fieldFlag } from '../fields.ts'
import { DEFAULTS_FLAGS } from '../user-flags.ts'

/** What new users start with is set with the flags of a user. */
const DEFAULTS = DEFAULTS_FLAGS.map(flag => ({
  ...flag,
  field: `defaults.${flag.field}`,
  doc: `New users: ${flag.doc}`,
}))

/** Flags of the instance's settings (http-api 19.2). */
export const SETTINGS_FLAGS: readonly FieldFlag[] = [
  fieldFlag('signup', 'switch', 'signup', 'Let people make accounts of their own.', { short: 's' }),
  fieldFlag('hideLoginButton', 'switch', 'hideLoginButton', 'Show no login button on shared pages.', {
    aliases: ['hide-login-button'],
  }),
  fieldFlag('createUserDir', 'switch', 'createUserDir', 'Make every new user a home.', {
    aliases: ['create-user-dir'],
  }),
  fieldFlag('userHomeBasePath', 'text', 'userHomeBasePath', 'Folder that holds the homes.'),
  fieldFlag('minimumPasswordLength', 'number', 'minimumPasswordLength', 'Bytes of the shortest password.', {
    aliases: ['minimum-password-length'],
  }),
  fieldFlag('shell', 'words', 'shell', 'Shell that runs command lines, with its arguments.'),
  fieldFlag('branding.name', 'text', 'branding.name', 'Name shown instead of Filigree.'),
  fieldFlag('branding.theme', 'text', 'branding.theme', `Look: ${THEMES.filter(Boolean).join(', ')}.`),
  fieldFlag(
    'branding.color',
    'text',
    'branding.color',
    'Accent of the interface and the browser’s frame, like #00707b.',
  ),
  fieldFlag('branding.files', 'text', 'branding.files', 'Folder with a logo, icons and custom.css of your own.'),
  fieldFlag('branding.disableExternal', 'switch', 'branding.disableExternal', 'Show no links that lead elsewhere.'),
  fieldFlag('branding.disableUsedPercentage', 'switch', 'branding.disableUsedPercentage', 'Do not show disk usage.'),
  fieldFlag('tus.chunkSize', 'number', 'tus.chunkSize', 'Bytes of a piece of an upload.'),
  fieldFlag('tus.retryCount', 'number', 'tus.retryCount', 'Times a piece is sent again.'),
  ...DEFAULTS,
]

/** Flags of how people sign in. */
export const AUTH_FLAGS: readonly FieldFlag[] = [
  fieldFlag('auth.method', 'text', 'method', `How people sign in: ${AUTH_METHODS.join(', ')}.`),
  fieldFlag('auth.header', 'text', 'header', 'Method proxy: request header with the user’s name.'),
  fieldFlag('auth.command', 'text', 'command', 'Method hook: program that is asked.'),
  fieldFlag('auth.logoutPage', 'text', 'logoutPage', 'Address people see after logging out.'),
  fieldFlag('auth.createUsers', 'switch', 'createUsers', 'Methods proxy and hook: make accounts at the first visit.'),
  fieldFlag('recaptcha.host', 'text', 'recaptcha.host', 'Address of the captcha service.'),
  fieldFlag('recaptcha.key', 'text', 'recaptcha.key', 'Key of the captcha service.'),
  fieldFlag('recaptcha.secret', 'text', 'recaptcha.secret', 'Secret of the captcha service.'),
]

/** Flags of the server with the names of http-api 15.6. */
const OF_CONTRACT: readonly FieldFlag[] = [
  fieldFlag('root', 'text', 'root', 'Folder to serve.', { short: 'r' }),
  fieldFlag('address', 'text', 'address', 'Address to listen on.', { short: 'a' }),
  fieldFlag('port', 'text', 'port', 'Port to listen on.', { short: 'p' }),
  fieldFlag('baseURL', 'text', 'baseURL', 'Path under which a reverse proxy offers this instance.', {
    short: 'b',
    aliases: ['baseurl', 'base-url'],
  }),
  fieldFlag('socket', 'text', 'socket', 'Unix socket to listen on, instead of address and port.'),
  fieldFlag('cert', 'text', 'tlsCert', 'Certificate (PEM) for HTTPS.', { short: 't' }),
  fieldFlag('key', 'text', 'tlsKey', 'Private key (PEM) of the certificate.', { short: 'k' }),
  fieldFlag('log', 'text', 'log', 'Where log lines go.', { short: 'l' }),
  fieldFlag('fileMode', 'text', 'fileMode', 'Mode of new files, in octal digits.', { aliases: ['file-mode'] }),
  fieldFlag('dirMode', 'text', 'dirMode', 'Mode of new folders, in octal digits.', { aliases: ['dir-mode'] }),
  fieldFlag('tokenExpirationTime', 'text', 'tokenExpirationTime', 'How long a session token lasts.', {
    aliases: ['token-expiration-time'],
  }),
  fieldFlag('disableExec', 'inverse', 'enableExec', 'Run no programs for users or hooks.', {
    aliases: ['disable-exec'],
  }),
  fieldFlag('disableThumbnails', 'inverse', 'enableThumbnails', 'Make no thumbnails of pictures.', {
    aliases: ['disable-thumbnails'],
  }),
  fieldFlag('disablePreviewResize', 'inverse', 'resizePreview', 'Show pictures in full size only.', {
    aliases: ['disable-preview-resize'],
  }),
  fieldFlag('disableTypeDetectionByHeader', 'inverse', 'typeDetectionByHeader', 'Tell types of files by name alone.', {
    aliases: ['disable-type-detection-by-header'],
  }),
  fieldFlag('disableImageResolutionCalc', 'inverse', 'imageResolutionCalculation', 'Do not measure pictures.', {
    aliases: ['disable-image-resolution-calc'],
  }),
  fieldFlag('followExternalSymlinks', 'switch', 'followExternalSymlinks', 'Follow links that lead out of a scope.', {
    aliases: ['follow-external-symlinks'],
  }),
]

/** Flags of the server that the interface may change as well, and that http-api 15.6 does not know; `''` takes one back. */
const OPEN_FLAGS: readonly FieldFlag[] = Object.entries<Setting>(OPEN_SETTINGS).flatMap(
  ([name, { flag = name, aliases = [], boolean, doc }]) =>
    OF_CONTRACT.some(known => known.flag === flag)
      ? []
      : [fieldFlag(flag, boolean ? 'mark' : 'text', `kept.${name}`, doc, { aliases })],
)

/** Flags of the server that the database remembers; they mean what they mean when the server is started with them. */
export const SERVER_FLAGS: readonly FieldFlag[] = [...OF_CONTRACT, ...OPEN_FLAGS]

/** Flags that older scripts give and that change nothing here. */
export const IDLE_FLAGS: readonly DescribedFlag[] = [
  { flag: 'socketPerm', aliases: ['socket-perm'], doc: 'No effect; give it to the server.' },
  { flag: 'cacheDir', aliases: ['cache-dir'], doc: 'No effect; give it to the server.' },
  { flag: 'redisCacheUrl', aliases: ['redis-cache-url'], doc: 'No effect.' },
]

export const CONFIG_FLAGS: readonly DescribedFlag[] = [...SETTINGS_FLAGS, ...AUTH_FLAGS, ...SERVER_FLAGS, ...IDLE_FLAGS]
