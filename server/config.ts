import { resolve } from 'node:path'
import type { HostReason } from '../shared/api/diagnostics.ts'
import { readConfigFile } from './config/file.ts'
import { readArguments } from './config/flags.ts'
import {
  ALL_SETTINGS,
  isInterfaceSetting,
  parseSetting,
  SETTINGS,
  type SettingName,
  type Values,
} from './config/settings.ts'
import { given, noticesOf, SERVE_FLAGS, type Sources, type Written } from './config/sources.ts'
import { isPostgres } from './db/address.ts'
import { AppError } from './errors.ts'
import { describeCache, describeRoot, type OtherRoot, type Root, rootsOverlap } from './storage/open-storage.ts'

export { parseDuration } from './config/parse.ts'
export type { LogLevel, NameIndexMode } from './config/setting.ts'
export { describeSettings, isInterfaceSetting, parseSetting, SETTINGS } from './config/settings.ts'

/** Settings whose values the configuration has in another form. */
type Reshaped =
  | 'root'
  | 'roots'
  | 'cert'
  | 'key'
  | 'password'
  | 'tokenExpirationTime'
  | 's3AccessKey'
  | 's3SecretKey'
  | 's3SessionToken'
  | `extract${string}`
  | `disable${string}`

/** A configuration file, and the further storages as it names them now. */
export interface RootsFile {
  path: string
  /** @throws AppError `bad_request` for a file that cannot be used */
  read(): readonly OtherRoot[]
}

/**
 * The host's settings, checked: each by its name with the value that `parse` returns, except those of `Reshaped`. Paths
 * are absolute, durations are milliseconds.
 */
export interface Config extends Root, Omit<Values, Reshaped> {
  /** Further storages, by the order in which they are configured. */
  roots: readonly OtherRoot[]
  /** The configuration file in which they may be added later; missing without a file. */
  rootsFile?: RootsFile | undefined
  /** With what a store is opened that asks for it. */
  credentials: { accessKey: string; secretKey: string; sessionToken: string }
  /** Whether `root` is the default, which is made when missing. */
  rootIsDefault: boolean
  /** Path of an SQLite file, or the address of a database of PostgreSQL with its password. */
  database: string
  /** PEM files of a server that speaks HTTPS. */
  tls: { cert: string; key: string } | undefined
  /** bcrypt hash for the first administrator. */
  passwordHash: string
  tokenLifetime: number
  queryToken: boolean
  /** The folder of the preview cache on this host; `undefined` if it is elsewhere. */
  previewFolder: string | undefined
  thumbnails: boolean
  resizePreview: boolean
  /** Whether listings detect the types of files by their content where the names do not give them. */
  typeDetectionByHeader: boolean
  /** Whether image dimensions are read. */
  imageResolution: boolean
  disableExec: boolean
  /** Limits for the contents of one archive: bytes, ratio to its own size, members, nested folders. */
  extract: { bytes: number; ratio: number; members: number; depth: number }
  /** The variables of the server's process; `server/sandbox` decides which of them a program gets. */
  environment: Readonly<Record<string, string>>
  /** Given settings without effect, as sentences for the console. */
  notices: readonly string[]
  /** Every setting as it was written, and its source. */
  origins: Readonly<Record<SettingName, Origin>>
}

/** One setting as it was written, with what clients may know of it. */
export interface Origin extends Written {
  /** Whether the value is secret. */
  secret?: boolean
  /** Why only the host says it. */
  host?: HostReason
  /** The allowed values of a boolean or an enumeration. */
  words?: readonly string[]
  /** The default. */
  fallback: string
}

/** Settings stored in a database, as text by name; `''` sets nothing. */
export type StoredSettings = Partial<Record<SettingName, string>>

/**
 * Reads flags, variables and the configuration file of a server.
 * @param stored returns the settings stored in a database
 * @throws AppError `bad_request` with a sentence for the console for an invalid value
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

/** The same from parsed flags; a sub-command's own flags among them are ignored. */
export function resolveConfig(
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv = process.env,
  stored: (database: string) => StoredSettings = () => ({}),
): Config {
  const sources = sourcesOf(flags, env)
  const database = databaseIn(sources)
  const { usable, notices } = usableOf(withoutExcluded(sources, stored(database)))
  const origins = originsOf(sources, usable)
  const path = sources.file?.path
  return build(origins, {
    database,
    origins,
    rootsFile: path === undefined ? undefined : { path, read: () => resolveConfig(flags, env).roots },
    environment: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, text ?? ''])),
    notices: [...noticesOf(sources), ...notices],
  })
}

/** Invalid open settings in a database are ignored, so that the interface cannot keep a server from its start. */
function usableOf(remembered: StoredSettings): { usable: StoredSettings; notices: string[] } {
  const notices: string[] = []
  const usable = Object.entries(remembered).filter(([name, text]) => {
    if (text === '' || !isInterfaceSetting(name)) return true
    try {
      parseSetting(name, text)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      notices.push(`What the database keeps for ${name} is left out: ${error.message}`)
      return false
    }
  })
  return { usable: Object.fromEntries(usable), notices }
}

/** Each setting as given, else as stored, else its default. */
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

/** The database that a server would use; see `readConfig`. */
export function databaseOf(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return namedDatabase(readArguments(args, SERVE_FLAGS).flags, env)
}

/** The same from parsed flags. */
export function namedDatabase(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv = process.env): string {
  return databaseIn(sourcesOf(flags, env))
}

function sourcesOf(flags: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): Sources {
  const sources = { flags, env, file: undefined }
  return { ...sources, file: readConfigFile(given('config', sources)?.text ?? '', env.HOME) }
}

function databaseIn(sources: Sources): string {
  const named = given('database', sources)?.text ?? SETTINGS.database.default
  return isPostgres(named) ? named : resolve(named)
}

/** The default folder of caches: next to a database that is a file, else in the working directory. */
const cacheNextTo = (database: string) => `${isPostgres(database) ? 'filigree' : database}.cache`

function build(
  origins: Config['origins'],
  known: Pick<Config, 'database' | 'environment' | 'notices' | 'origins' | 'rootsFile'>,
): Config {
  const entries = ALL_SETTINGS.map(({ name }) => [name, parseSetting(name, origins[name].text)])
  const values = Object.fromEntries(entries) as Values
  const served = describeRoot(values.root)
  const roots = values.roots.map(({ at, ...more }) => ({ ...more, ...describeRoot(at) }))
  const cacheDir = resolve(values.cacheDir || cacheNextTo(known.database))
  const previews = describeCache(values.previewDir || cacheDir, served)
  demandTogether(values, known.database)
  demandApart(served, previews, roots)
  return {
    ...values,
    ...known,
    ...served,
    roots,
    credentials: {
      accessKey: values.s3AccessKey,
      secretKey: values.s3SecretKey,
      sessionToken: values.s3SessionToken,
    },
    rootIsDefault: origins.root.from === 'default',
    address: values.address || '0.0.0.0',
    socket: values.socket && resolve(values.socket),
    tls: values.cert === '' ? undefined : { cert: resolve(values.cert), key: resolve(values.key) },
    passwordHash: values.password,
    tokenLifetime: values.tokenExpirationTime,
    queryToken: !values.disableQueryToken,
    cacheDir,
    previewDir: previews.root,
    previewFolder: previews.rootFolder,
    thumbnails: !values.disableThumbnails,
    resizePreview: !values.disablePreviewResize,
    typeDetectionByHeader: !values.disableTypeDetectionByHeader,
    imageResolution: !values.disableImageResolutionCalc,
    // Programs work on folders.
    disableExec: values.disableExec || served.rootFolder === undefined,
    extract: {
      bytes: values.extractBytes,
      ratio: values.extractRatio,
      members: values.extractMembers,
      depth: values.extractDepth,
    },
  }
}

/** @throws AppError `bad_request` for settings that need another one */
function demandTogether(values: Values, database: string): void {
  const { accelRedirect, trustedProxies, roles, cert, key, publicURL, baseURL, mail, mailFrom } = values
  const { office, officeCallback } = values
  if (publicURL !== '' && new URL(publicURL).pathname.replace(/\/$/, '') !== baseURL) {
    throw new AppError('bad_request', `--publicURL must end in the base URL '${baseURL}'.`)
  }
  if (mail && (publicURL === '' || !mailFrom)) {
    throw new AppError('bad_request', `--mail needs ${mailFrom ? '--publicURL' : '--mailFrom'}.`)
  }
  if (office !== '' && publicURL === '') throw new AppError('bad_request', '--office needs --publicURL.')
  if (officeCallback !== '' && new URL(officeCallback).pathname.replace(/\/$/, '') !== baseURL) {
    throw new AppError('bad_request', `--officeCallback must end in the base URL '${baseURL}'.`)
  }
  if (accelRedirect !== '' && trustedProxies.length === 0) {
    throw new AppError('bad_request', '--accelRedirect needs --trustedProxies.')
  }
  if (roles !== 'all' && !isPostgres(database)) {
    throw new AppError('bad_request', 'The roles web and worker need PostgreSQL: name a database with --database.')
  }
  if ((cert === '') !== (key === '')) {
    const missing = cert === '' ? 'first' : 'second'
    throw new AppError('bad_request', `HTTPS needs both --cert and --key; the ${missing} is missing.`)
  }
}

/** @throws AppError `bad_request` for roots that lie in each other, or have the previews among their files */
function demandApart(served: Root, previews: Root, roots: readonly OtherRoot[]): void {
  for (const [index, root] of roots.entries()) {
    const inside = [served, previews, ...roots.slice(0, index)].find(other => rootsOverlap(root, other))
    if (!inside) continue
    throw new AppError(
      'bad_request',
      `The root ${root.name} and ${inside.root} lie in each other. Choose another place.`,
    )
  }
}

const TCP: readonly SettingName[] = ['address', 'port', 'cert', 'key']

/**
 * A socket excludes address, port and TLS (http-api 19.1).
 * @returns one of these that is given, if any
 * @throws AppError `bad_request` when a socket is given, too
 */
export function givenTcp(isGiven: (name: SettingName) => boolean): SettingName | undefined {
  const tcp = TCP.find(isGiven)
  if (tcp === undefined || !isGiven('socket')) return tcp
  const sentence = `A server listens on a socket or on an address, not both: omit socket or ${tcp}.`
  throw new AppError('bad_request', sentence)
}

/** The stored settings without those that contradict a given socket or address. */
function withoutExcluded(sources: Sources, stored: StoredSettings): StoredSettings {
  const isGiven = (name: SettingName) => (given(name, sources)?.text ?? '') !== ''
  const tcp = givenTcp(isGiven)
  const dropped: readonly string[] = isGiven('socket') || (stored.socket && !tcp) ? TCP : ['socket']
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !dropped.includes(name)))
}
