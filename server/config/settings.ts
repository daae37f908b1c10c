import type { Setting } from './setting.ts'

/** Every setting of the host, once (wire contract 19.1). */
export const SETTINGS = {
  root: {
    flag: 'root',
    short: 'r',
    env: ['FILIGREE_ROOT', 'FB_ROOT'],
    default: './srv',
    doc: 'Folder to serve, or s3://bucket/prefix?endpoint=…&region=…. The default is made on the first start; any other must exist.',
  },
  database: {
    flag: 'database',
    short: 'd',
    env: ['FILIGREE_DATABASE', 'FB_DATABASE'],
    default: './filigree.db',
    doc: 'Keeps users, sessions and settings: an SQLite file, or postgres://user@host/name.',
  },
  s3AccessKey: {
    env: ['FILIGREE_S3_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'],
    default: '',
    doc: 'Access key of a bucket that is served.',
  },
  s3SecretKey: {
    env: ['FILIGREE_S3_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'],
    secret: true,
    default: '',
    doc: 'Secret key that goes with it.',
  },
  s3SessionToken: {
    env: ['FILIGREE_S3_SESSION_TOKEN', 'AWS_SESSION_TOKEN'],
    secret: true,
    default: '',
    doc: 'Token of credentials that last for a while only.',
  },
  presignedDownloads: {
    flag: 'presignedDownloads',
    aliases: ['presigned-downloads'],
    boolean: true,
    env: ['FILIGREE_PRESIGNED_DOWNLOADS'],
    default: 'false',
    doc: 'Send whoever downloads a file to the bucket for it, by an address that is good for five minutes.',
  },
  roles: {
    flag: 'roles',
    env: ['FILIGREE_ROLES'],
    default: 'all',
    doc: 'What this server does: all, web (it answers) or worker (it does jobs). The latter two need PostgreSQL.',
  },
  config: {
    flag: 'config',
    short: 'c',
    env: ['FILIGREE_CONFIG'],
    default: '',
    doc: 'File with settings by the names of their flags, as JSON, YAML or TOML.',
  },
  address: {
    flag: 'address',
    short: 'a',
    env: ['FILIGREE_ADDRESS', 'FB_ADDRESS'],
    default: '127.0.0.1',
    doc: 'Address to listen on. 0.0.0.0 means every network of this host.',
  },
  port: {
    flag: 'port',
    short: 'p',
    env: ['FILIGREE_PORT', 'FB_PORT'],
    default: '8080',
    doc: 'Port to listen on; 0 picks a free one.',
  },
  socket: {
    flag: 'socket',
    env: ['FILIGREE_SOCKET', 'FB_SOCKET'],
    default: '',
    doc: 'Unix socket to listen on, instead of address and port.',
  },
  socketPerm: {
    flag: 'socketPerm',
    aliases: ['socket-perm'],
    env: ['FILIGREE_SOCKET_PERM', 'FB_SOCKETPERM', 'FB_SOCKET_PERM'],
    default: '0666',
    doc: 'Mode of that socket, in octal digits.',
  },
  cert: {
    flag: 'cert',
    short: 't',
    env: ['FILIGREE_CERT', 'FB_CERT'],
    default: '',
    doc: 'Certificate (PEM) for HTTPS, TLS 1.2 or newer; needs the key, too.',
  },
  key: {
    flag: 'key',
    short: 'k',
    env: ['FILIGREE_KEY', 'FB_KEY'],
    default: '',
    doc: 'Private key (PEM) of the certificate.',
  },
  baseURL: {
    flag: 'baseURL',
    aliases: ['baseurl', 'base-url'],
    short: 'b',
    env: ['FILIGREE_BASE_URL', 'FB_BASE_URL', 'FB_BASEURL'],
    default: '',
    doc: 'Path under which a reverse proxy offers this instance, for example /files.',
  },
  prefixStripped: {
    flag: 'prefixStripped',
    aliases: ['prefix-stripped'],
    boolean: true,
    env: ['FILIGREE_PREFIX_STRIPPED'],
    default: 'false',
    doc: 'The reverse proxy takes the base URL off each address before it passes the request on.',
  },
  log: {
    flag: 'log',
    short: 'l',
    env: ['FILIGREE_LOG', 'FB_LOG'],
    default: 'stdout',
    doc: 'Where log lines go: stdout, stderr, the path of a file, or nowhere if empty.',
  },
  logLevel: {
    flag: 'logLevel',
    aliases: ['log-level'],
    env: ['FILIGREE_LOG_LEVEL'],
    default: 'info',
    doc: 'debug (every request), info, warn or error.',
  },
  username: {
    flag: 'username',
    env: ['FILIGREE_USERNAME', 'FB_USERNAME'],
    default: 'admin',
    doc: 'Name of the administrator made on the first start.',
  },
  password: {
    flag: 'password',
    env: ['FILIGREE_PASSWORD', 'FB_PASSWORD'],
    secret: true,
    default: '',
    doc: 'bcrypt hash of the first administrator’s password. Without it a random password is made and shown once.',
  },
  adminPassword: {
    env: ['FILIGREE_ADMIN_PASSWORD'],
    secret: true,
    default: '',
    doc: 'The first administrator’s password in plain text; only read on the first start.',
  },
  noauth: {
    flag: 'noauth',
    boolean: true,
    env: ['FILIGREE_NOAUTH', 'FB_NOAUTH'],
    default: 'false',
    doc: 'On the first start: let everybody in, without a password, as the administrator. Later starts need it, too, to listen beyond this machine then.',
  },
  tokenExpirationTime: {
    flag: 'tokenExpirationTime',
    aliases: ['token-expiration-time'],
    env: ['FILIGREE_TOKEN_EXPIRATION_TIME', 'FB_TOKEN_EXPIRATION_TIME'],
    default: '2h',
    doc: 'How long a session token lasts before it must be renewed, for example 30m, 2h or 1h30m.',
  },
  trustedProxies: {
    flag: 'trustedProxies',
    aliases: ['trusted-proxies'],
    env: ['FILIGREE_TRUSTED_PROXIES'],
    default: '',
    doc: 'Networks of reverse proxies, such as 127.0.0.1,10.0.0.0/8: only they may say who signed in or where from.',
  },
  allowedHosts: {
    flag: 'allowedHosts',
    aliases: ['allowed-hosts'],
    env: ['FILIGREE_ALLOWED_HOSTS'],
    default: '',
    doc: 'Host names that people reach this server by, such as files.example.org,nas.local: under others it answers nothing. Any unless given.',
  },
  contentOrigin: {
    flag: 'contentOrigin',
    aliases: ['content-origin'],
    env: ['FILIGREE_CONTENT_ORIGIN'],
    default: '',
    doc: 'Second address of this server, such as https://files-content.example: stored files open as pages there only.',
  },
  metrics: {
    flag: 'metrics',
    env: ['FILIGREE_METRICS'],
    default: '',
    doc: 'Address and port, such as 127.0.0.1:9180, at which Prometheus finds /metrics. Nowhere unless given.',
  },
  fileMode: {
    flag: 'fileMode',
    aliases: ['file-mode'],
    env: ['FILIGREE_FILE_MODE'],
    default: '0640',
    doc: 'Mode of new files, in octal digits, whatever the umask. A file that is replaced keeps its own.',
  },
  dirMode: {
    flag: 'dirMode',
    aliases: ['dir-mode'],
    env: ['FILIGREE_DIR_MODE'],
    default: '0750',
    doc: 'Mode of new folders, in octal digits, less the umask.',
  },
  cacheDir: {
    flag: 'cacheDir',
    aliases: ['cache-dir'],
    env: ['FILIGREE_CACHE_DIR', 'FB_CACHE_DIR'],
    default: '',
    doc: 'Folder that keeps previews of pictures; without it a .cache folder beside the database.',
  },
  imageProcessors: {
    flag: 'imageProcessors',
    aliases: ['image-processors', 'img-processors'],
    env: ['FILIGREE_IMAGE_PROCESSORS', 'FB_IMAGE_PROCESSORS'],
    default: '4',
    doc: 'Previews that are made at once, each in a process of its own.',
  },
  maxImagePixels: {
    flag: 'maxImagePixels',
    aliases: ['max-image-pixels'],
    env: ['FILIGREE_MAX_IMAGE_PIXELS'],
    default: '52428800',
    doc: 'Pixels of the largest picture that a preview is made of; a small file can claim to have very many.',
  },
  nameIndex: {
    flag: 'nameIndex',
    aliases: ['name-index'],
    env: ['FILIGREE_NAME_INDEX'],
    default: 'auto',
    doc: 'Index of names for searches: auto (made when a search had a long way), always, scheduled or off.',
  },
  nameIndexEvery: {
    flag: 'nameIndexEvery',
    aliases: ['name-index-every'],
    env: ['FILIGREE_NAME_INDEX_EVERY'],
    default: '10m',
    doc: 'Age at which a search has the index compared with the disk, for changes that nobody told of.',
  },
  contentIndex: {
    flag: 'contentIndex',
    aliases: ['content-index'],
    env: ['FILIGREE_CONTENT_INDEX'],
    default: 'auto',
    doc: 'Index of what is in text files, kept with that of names: auto (begun by the first search for content), always or off.',
  },
  contentIndexBytes: {
    flag: 'contentIndexBytes',
    aliases: ['content-index-bytes'],
    env: ['FILIGREE_CONTENT_INDEX_BYTES'],
    default: '1073741824',
    doc: 'Bytes of text that it takes up at most; files of more than 1 MiB are left out.',
  },
  disableThumbnails: {
    flag: 'disableThumbnails',
    aliases: ['disable-thumbnails'],
    boolean: true,
    env: ['FILIGREE_DISABLE_THUMBNAILS', 'FB_DISABLE_THUMBNAILS'],
    default: 'false',
    doc: 'Make no thumbnails of pictures.',
  },
  disablePreviewResize: {
    flag: 'disablePreviewResize',
    aliases: ['disable-preview-resize'],
    boolean: true,
    env: ['FILIGREE_DISABLE_PREVIEW_RESIZE', 'FB_DISABLE_PREVIEW_RESIZE'],
    default: 'false',
    doc: 'Show pictures in full size only; do not make them smaller first.',
  },
  disableTypeDetectionByHeader: {
    flag: 'disableTypeDetectionByHeader',
    aliases: ['disable-type-detection-by-header'],
    boolean: true,
    env: ['FILIGREE_DISABLE_TYPE_DETECTION_BY_HEADER', 'FB_DISABLE_TYPE_DETECTION_BY_HEADER'],
    default: 'false',
    doc: 'In folders, tell the types of files by their names alone; do not look into those whose names say nothing.',
  },
  disableImageResolutionCalc: {
    flag: 'disableImageResolutionCalc',
    aliases: ['disable-image-resolution-calc'],
    boolean: true,
    env: ['FILIGREE_DISABLE_IMAGE_RESOLUTION_CALC', 'FB_DISABLE_IMAGE_RESOLUTION_CALC'],
    default: 'false',
    doc: 'Do not read from a picture how many pixels it has.',
  },
  followExternalSymlinks: {
    flag: 'followExternalSymlinks',
    aliases: ['follow-external-symlinks'],
    boolean: true,
    env: ['FILIGREE_FOLLOW_EXTERNAL_SYMLINKS', 'FB_FOLLOW_EXTERNAL_SYMLINKS'],
    default: 'false',
    doc: 'Follow links that lead out of a scope. Whoever may write there reaches what this host lets its server reach.',
  },
  disableExec: {
    flag: 'disableExec',
    aliases: ['disable-exec'],
    boolean: true,
    env: ['FILIGREE_DISABLE_EXEC', 'FB_DISABLE_EXEC'],
    default: 'true',
    doc: 'Run no programs for users or hooks. --disableExec=false allows it.',
  },
  execSandbox: {
    flag: 'execSandbox',
    aliases: ['exec-sandbox'],
    env: ['FILIGREE_EXEC_SANDBOX'],
    default: 'bubblewrap',
    doc: 'What programs of users and hooks run in: bubblewrap, or none, and they reach all that this server does.',
  },
  passwordCost: {
    flag: 'passwordCost',
    aliases: ['password-cost'],
    env: ['FILIGREE_PASSWORD_COST'],
    default: 'usual',
    doc: 'What a look at a password costs: least (46 MiB and one pass, for slow machines), usual (32 MiB, three passes) or high (64 MiB, four).',
  },
  requireCurrentPassword: {
    flag: 'requireCurrentPassword',
    aliases: ['require-current-password'],
    boolean: true,
    env: ['FILIGREE_REQUIRE_CURRENT_PASSWORD'],
    default: 'false',
    doc: 'Changing a password, a name, a scope or rights needs the own password, also from clients that do not ask.',
  },
  auditDays: {
    flag: 'auditDays',
    aliases: ['audit-days'],
    env: ['FILIGREE_AUDIT_DAYS'],
    default: '365',
    doc: 'Days that the audit log remembers who did what; 0 for ever.',
  },
  auditRows: {
    flag: 'auditRows',
    aliases: ['audit-rows'],
    env: ['FILIGREE_AUDIT_ROWS'],
    default: '1000000',
    doc: 'Rows that the audit log keeps at most; the oldest go first.',
  },
  extractBytes: {
    flag: 'extractBytes',
    aliases: ['extract-bytes'],
    env: ['FILIGREE_EXTRACT_BYTES'],
    default: '107374182400',
    doc: 'Bytes that may come out of one archive.',
  },
  extractRatio: {
    flag: 'extractRatio',
    aliases: ['extract-ratio'],
    env: ['FILIGREE_EXTRACT_RATIO'],
    default: '200',
    doc: 'How many times larger what comes out of an archive may be than the archive; up to 64 MiB nobody asks.',
  },
  extractMembers: {
    flag: 'extractMembers',
    aliases: ['extract-members'],
    env: ['FILIGREE_EXTRACT_MEMBERS'],
    default: '1000000',
    doc: 'Files and folders that may come out of one archive.',
  },
  extractDepth: {
    flag: 'extractDepth',
    aliases: ['extract-depth'],
    env: ['FILIGREE_EXTRACT_DEPTH'],
    default: '64',
    doc: 'Folders within each other that may come out of an archive; what lies deeper stays in it.',
  },
  disableQueryToken: {
    flag: 'disableQueryToken',
    aliases: ['disable-query-token'],
    boolean: true,
    env: ['FILIGREE_DISABLE_QUERY_TOKEN'],
    default: 'false',
    doc: 'Refuse session tokens in the address of downloads (?auth=). Older clients need them; ours does not.',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** All settings as plain data, by name. */
export const ALL_SETTINGS: readonly (Setting & { name: SettingName })[] = Object.entries<Setting>(SETTINGS).map(
  ([name, setting]) => ({ ...setting, name: name as SettingName }),
)

/**
 * Settings that older installations may have and that change nothing here (wire contract 19.1): accepted with a notice,
 * so that their scripts, variables and files still start the server.
 */
export const IDLE_SETTINGS: readonly Pick<Setting, 'flag' | 'aliases' | 'boolean' | 'env'>[] = [
  { flag: 'redisCacheUrl', aliases: ['redis-cache-url'], env: ['FB_REDIS_CACHE_URL'] },
]

/** The flags and variables as lines for the help text. */
export function describeSettings(): string[] {
  return ALL_SETTINGS.map(setting => {
    const short = setting.short ? `-${setting.short}, ` : '    '
    const name = setting.flag ? `${short}--${setting.flag}` : `    (${setting.env[0]})`
    const fallback = setting.default === '' ? '' : ` Default: ${setting.default}.`
    return `  ${name.padEnd(28)} ${setting.doc}${fallback}`
  })
}
