import { resolve } from 'node:path'
import { type HostReason, isOpenSetting } from '../shared/api/diagnostics.ts'
import type { SearchAnswers } from '../shared/api/search.ts'
import type { PasswordCost } from '../shared/password-cost.ts'
import { readConfigFile } from './config/file.ts'
import { parseSwitch, readArguments } from './config/flags.ts'
import {
  type ContentIndexMode,
  type LogLevel,
  type NameIndexMode,
  parseAccelRedirect,
  parseAuditDays,
  parseAuditRows,
  parseBaseURL,
  parseContentIndex,
  parseContentLimit,
  parseDuration,
  parseExtractLimit,
  parseHosts,
  parseListening,
  parseLogLevel,
  parseMode,
  parseNameIndex,
  parseNetworks,
  parseOrigin,
  parsePasswordCost,
  parsePixels,
  parsePort,
  parseProcessors,
  parseRoles,
  parseSandbox,
  parseSearchAnswers,
  type Roles,
  type SandboxKind,
} from './config/parse.ts'
import { ALL_SETTINGS, SETTINGS, type SettingName } from './config/settings.ts'
import { fromEnvironment, given, noticesOf, SERVE_FLAGS, type Sources, type Written } from './config/sources.ts'
import { isPostgres } from './db/address.ts'
import { AppError } from './errors.ts'
import { describeRoot, describeSpare, type Root } from './storage/open-storage.ts'

export { describeSettings } from './config/describe.ts'
export { LOG_LEVELS, type LogLevel, type NameIndexMode, parseDuration } from './config/parse.ts'
export { SETTINGS } from './config/settings.ts'

/** The host's settings, checked. Paths are absolute, durations are milliseconds. */
export interface Config extends Root {
  /** Whether downloads are redirected to the store. */
  presignedDownloads: boolean
  /** With what a store is opened that asks for it. */
  credentials: { accessKey: string; secretKey: string; sessionToken: string }
  /** Whether `root` is the default, which is made when missing. */
  rootIsDefault: boolean
  /** Path of an SQLite file, or the address of a database of PostgreSQL with its password. */
  database: string
  roles: Roles
  address: string
  port: number
  /** Unix socket to listen on instead; `''` for none. */
  socket: string
  /** Permission bits of the socket. */
  socketPerm: number
  /** PEM files of a server that speaks HTTPS. */
  tls: { cert: string; key: string } | undefined
  /** `''` or `/…` without a trailing slash. */
  baseURL: string
  /** Whether requests come without the base URL, which the proxy takes off. */
  prefixStripped: boolean
  /** `''` for no log. */
  log: string
  logLevel: LogLevel
  username: string
  passwordHash: string
  adminPassword: string
  /** Whether the first start creates a database without passwords. */
  noauth: boolean
  tokenLifetime: number
  queryToken: boolean
  /** Addresses and networks in CIDR form. */
  trustedProxies: readonly string[]
  /** The location at which a trusted proxy serves the root; `''` without one. */
  accelRedirect: string
  /** Names that requests may be for; any where there are none. */
  allowedHosts: readonly string[]
  /** Where stored content is opened as a page; `''` for here. */
  contentOrigin: string
  /** Form of search results for clients that name none. */
  searchAnswers: SearchAnswers
  /** Where metrics are served; off by default. */
  metrics: { host: string; port: number } | undefined
  /** Permission bits of new files. */
  fileMode: number
  /** Permission bits of new folders, less the umask. */
  dirMode: number
  /** Folder for caches; created when missing. */
  cacheDir: string
  /** Folder that keeps previews, in a folder of its own in there; made when missing. */
  previewDir: string
  /** The folder of this host that it is; nothing where previews lie elsewhere. */
  previewFolder: string | undefined
  /** Previews made at once; at least one. */
  imageProcessors: number
  /** Pixels of a picture that may be decoded; at least one. */
  maxImagePixels: number
  /** When an index of names is kept, in which searches look things up. */
  nameIndex: NameIndexMode
  /** Milliseconds; see `nameIndexEvery`. */
  nameIndexEvery: number
  /** When what is in text files is taken up, too. */
  contentIndex: ContentIndexMode
  /** Bytes of all text that is taken up. */
  contentIndexBytes: number
  thumbnails: boolean
  resizePreview: boolean
  /** Whether listings tell the types of files by their content where the names do not. */
  typeDetectionByHeader: boolean
  /** Whether image dimensions are read. */
  imageResolution: boolean
  /** Whether links that lead out of a scope are followed. */
  followExternalSymlinks: boolean
  disableExec: boolean
  /** What programs of users and hooks run in, where they may. */
  execSandbox: SandboxKind
  passwordCost: PasswordCost
  requireCurrentPassword: boolean
  /** Days the audit log is kept; 0 for ever. */
  auditDays: number
  /** Rows the audit log keeps at most. */
  auditRows: number
  /** How much may come out of one archive: bytes, times its own size, things, folders within each other. */
  extract: { bytes: number; ratio: number; members: number; depth: number }
  /** The variables of the server's process; `server/sandbox` decides which of them a program gets. */
  environment: Readonly<Record<string, string>>
  /** What was given and has no effect, as sentences for the console. */
  notices: readonly string[]
  /** Every setting as it was written, and where it comes from. */
  origins: Readonly<Record<SettingName, Origin>>
}

/** One setting as it was written, and what else it could be. */
export interface Origin extends Written {
  /** Whether the value is secret. */
  secret?: boolean
  /** Why only the host says it. */
  host?: HostReason
  /** All that it can be, where that is one of a few words. */
  words?: readonly string[]
  /** The default. */
  fallback: string
}

/** Settings that the database remembers, by their names; `''` says nothing. */
export type StoredSettings = Partial<Record<SettingName, string>>

/**
 * Reads flags, variables and the configuration file of a server.
 * @param stored asked with the path of the database for what that remembers
 * @throws AppError `bad_request` with a sentence for the console when a value makes no sense
 */
export function readConfig(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  stored?: (database: string) => StoredSettings,
): Config {
  const { flags, positionals } = readArguments(args, SERVE_FLAGS)
  const [extra] = positionals
  if (extra !== undefined) throw new AppError('bad_request', `'${extra}' is one word too many. Try: filigree help`)
  return resolveConfig(flags, env, stored)
}

/** The same from flags that were read already; a sub-command's own ones among them are not looked at. */
export function resolveConfig(
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv = process.env,
  stored: (database: string) => StoredSettings = () => ({}),
): Config {
  const sources = sourcesOf(flags, env)
  const database = databaseIn(sources)
  const { usable, notices } = usableOf(listening(sources, stored(database)))
  const origins = originsOf(sources, usable)
  return build(origins, {
    database,
    origins,
    environment: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, text ?? ''])),
    notices: [...noticesOf(sources), ...notices],
  })
}

/**
 * Whether a server would start with a text for a setting.
 * @throws AppError `bad_request` with a sentence for the console
 */
export function checkSetting(name: SettingName, text: string): void {
  const origins = originsOf({ flags: new Map(), env: {}, file: undefined }, { [name]: text })
  build(origins, { database: SETTINGS.database.default, origins, environment: {}, notices: [] })
}

/** Nothing that the interface may change keeps a server from its start: what makes no sense (any more) is left out. */
function usableOf(remembered: StoredSettings): { usable: StoredSettings; notices: string[] } {
  const notices: string[] = []
  const usable = Object.entries(remembered).filter(([name, text]) => {
    if (text === '' || !isOpenSetting(name)) return true
    try {
      checkSetting(name, text)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      notices.push(`What the database keeps for ${name} is left out: ${error.message}`)
      return false
    }
  })
  return { usable: Object.fromEntries(usable), notices }
}

/** Each setting with what counts of it: what was given, else what the database remembers, else the default. */
function originsOf(sources: Sources, remembered: StoredSettings): Config['origins'] {
  const entries = ALL_SETTINGS.map(
    ({ name, secret, host, boolean, words, default: fallback }): [SettingName, Origin] => {
      const stored = remembered[name]
      const kept: Written = stored ? { from: 'database', text: stored } : { from: 'default', text: fallback }
      const choices = boolean ? ['false', 'true'] : words
      const about = { ...(secret && { secret }), ...(host && { host }), ...(choices && { words: choices }), fallback }
      return [name, { ...(given(name, sources) ?? kept), ...about }]
    },
  )
  return Object.fromEntries(entries) as Record<SettingName, Origin>
}

/** Which database a server would work with; see `readConfig`. */
export function databaseOf(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return namedDatabase(readArguments(args, SERVE_FLAGS).flags, env)
}

/** The same from flags that were read already. */
export function namedDatabase(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv = process.env): string {
  return databaseIn(sourcesOf(flags, env))
}

function sourcesOf(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Sources {
  const named = flags.get('config') ?? fromEnvironment(SETTINGS.config, env)?.text ?? ''
  return { flags, env, file: readConfigFile(named, env.HOME) }
}

function databaseIn(sources: Sources): string {
  const named = given('database', sources)?.text ?? SETTINGS.database.default
  return isPostgres(named) ? named : resolve(named)
}

/** The default folder of previews: next to a database that is a file, else in the working directory. */
const besideDatabase = (database: string) => `${isPostgres(database) ? 'filigree' : database}.cache`

function build(
  origins: Config['origins'],
  known: Pick<Config, 'database' | 'environment' | 'notices' | 'origins'>,
): Config {
  const value = (name: SettingName): string => origins[name].text
  const isOn = (name: SettingName): boolean => parseSwitch(value(name), SETTINGS[name].env[0])
  const served = describeRoot(value('root'))
  const cacheDir = resolve(value('cacheDir') || besideDatabase(known.database))
  const previews = describeSpare(value('previewDir') || cacheDir, served)
  return {
    ...known,
    ...served,
    presignedDownloads: isOn('presignedDownloads'),
    credentials: {
      accessKey: value('s3AccessKey'),
      secretKey: value('s3SecretKey'),
      sessionToken: value('s3SessionToken'),
    },
    rootIsDefault: origins.root.from === 'default',
    roles: parseRoles(value('roles'), isPostgres(known.database)),
    address: value('address') || '0.0.0.0',
    port: parsePort(value('port')),
    socket: value('socket') === '' ? '' : resolve(value('socket')),
    socketPerm: parseMode(value('socketPerm')),
    tls: parseTls(value('cert'), value('key')),
    baseURL: parseBaseURL(value('baseURL')),
    prefixStripped: isOn('prefixStripped'),
    log: value('log'),
    logLevel: parseLogLevel(value('logLevel')),
    username: value('username'),
    passwordHash: value('password'),
    adminPassword: value('adminPassword'),
    noauth: isOn('noauth'),
    tokenLifetime: parseDuration(value('tokenExpirationTime')),
    queryToken: !isOn('disableQueryToken'),
    trustedProxies: parseNetworks(value('trustedProxies')),
    accelRedirect: parseAccelRedirect(value('accelRedirect'), parseNetworks(value('trustedProxies'))),
    allowedHosts: parseHosts(value('allowedHosts')),
    contentOrigin: parseOrigin(value('contentOrigin')),
    searchAnswers: parseSearchAnswers(value('searchAnswers')),
    metrics: parseListening(value('metrics')),
    fileMode: parseMode(value('fileMode')),
    dirMode: parseMode(value('dirMode')),
    cacheDir,
    previewDir: previews.root,
    previewFolder: previews.rootFolder,
    imageProcessors: parseProcessors(value('imageProcessors')),
    maxImagePixels: parsePixels(value('maxImagePixels')),
    nameIndex: parseNameIndex(value('nameIndex')),
    nameIndexEvery: parseDuration(value('nameIndexEvery')),
    contentIndex: parseContentIndex(value('contentIndex')),
    contentIndexBytes: parseContentLimit(value('contentIndexBytes')),
    thumbnails: !isOn('disableThumbnails'),
    resizePreview: !isOn('disablePreviewResize'),
    typeDetectionByHeader: !isOn('disableTypeDetectionByHeader'),
    imageResolution: !isOn('disableImageResolutionCalc'),
    followExternalSymlinks: isOn('followExternalSymlinks'),
    // Programs work on folders.
    disableExec: isOn('disableExec') || served.rootFolder === undefined,
    execSandbox: parseSandbox(value('execSandbox')),
    passwordCost: parsePasswordCost(value('passwordCost')),
    requireCurrentPassword: isOn('requireCurrentPassword'),
    auditDays: parseAuditDays(value('auditDays')),
    auditRows: parseAuditRows(value('auditRows')),
    extract: {
      bytes: parseExtractLimit(value('extractBytes')),
      ratio: parseExtractLimit(value('extractRatio')),
      members: parseExtractLimit(value('extractMembers')),
      depth: parseExtractLimit(value('extractDepth')),
    },
  }
}

const TCP: readonly SettingName[] = ['address', 'port', 'cert', 'key']

/**
 * A socket excludes address, port and TLS (http-api 19.1); of what is merely remembered, the part gives way that
 * contradicts what was given now.
 * @throws AppError `bad_request` when both were given
 */
function listening(sources: Sources, stored: StoredSettings): StoredSettings {
  const isGiven = (name: SettingName) => (given(name, sources)?.text ?? '') !== ''
  const withTcp = TCP.find(isGiven)
  if (isGiven('socket') && withTcp) {
    throw new AppError('bad_request', `A server listens on a socket or on an address: leave out socket or ${withTcp}.`)
  }
  const dropped: readonly string[] = isGiven('socket') || (stored.socket && !withTcp) ? TCP : ['socket']
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !dropped.includes(name)))
}

function parseTls(cert: string, key: string): Config['tls'] {
  if (cert === '' && key === '') return undefined
  if (cert === '' || key === '') {
    throw new AppError(
      'bad_request',
      `HTTPS needs both --cert and --key; the ${cert === '' ? 'first' : 'second'} is missing.`,
    )
  }
  return { cert: resolve(cert), key: resolve(key) }
}
