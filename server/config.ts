import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from './errors.ts'

/**
 * Every setting of the host, once: flag, variables (the first is ours, the others are accepted from older
 * installations), default and what it does. Precedence: flag, variable, default (wire contract 19.1).
 */
export const SETTINGS = {
  root: {
    flag: 'root',
    short: 'r',
    env: ['FILIGREE_ROOT', 'FB_ROOT'],
    default: './srv',
    doc: 'Folder to serve. The default is made on the first start; any other must exist.',
  },
  database: {
    flag: 'database',
    short: 'd',
    env: ['FILIGREE_DATABASE', 'FB_DATABASE'],
    default: './filigree.db',
    doc: 'SQLite file that keeps users, sessions and settings.',
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
  baseURL: {
    flag: 'baseURL',
    aliases: ['baseurl', 'base-url'],
    short: 'b',
    env: ['FILIGREE_BASE_URL', 'FB_BASE_URL', 'FB_BASEURL'],
    default: '',
    doc: 'Path under which a reverse proxy offers this instance, for example /files.',
  },
  log: {
    flag: 'log',
    short: 'l',
    env: ['FILIGREE_LOG', 'FB_LOG'],
    default: 'stdout',
    doc: 'Where log lines go: stdout, stderr, or the path of a file.',
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
    default: '',
    doc: 'bcrypt hash of the first administrator’s password. Without it a random password is made and shown once.',
  },
  adminPassword: {
    env: ['FILIGREE_ADMIN_PASSWORD'],
    default: '',
    doc: 'The first administrator’s password in plain text; only read on the first start.',
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
  disableExec: {
    flag: 'disableExec',
    aliases: ['disable-exec'],
    boolean: true,
    env: ['FILIGREE_DISABLE_EXEC', 'FB_DISABLE_EXEC'],
    default: 'true',
    doc: 'Run no programs for users or hooks. --disableExec=false allows it.',
  },
  requireCurrentPassword: {
    flag: 'requireCurrentPassword',
    aliases: ['require-current-password'],
    boolean: true,
    env: ['FILIGREE_REQUIRE_CURRENT_PASSWORD'],
    default: 'false',
    doc: 'Changing a password, a name, a scope or rights needs the own password, also from clients that do not ask.',
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

interface Setting {
  flag?: string
  aliases?: readonly string[]
  short?: string
  env: readonly string[]
  boolean?: boolean
  default: string
  doc: string
}

type SettingName = keyof typeof SETTINGS

/** The host's settings, checked. Paths are absolute, durations are milliseconds. */
export interface Config {
  root: string
  /** Whether `root` is the default, which is made when missing. */
  rootIsDefault: boolean
  database: string
  address: string
  port: number
  /** `''` or `/…` without a trailing slash. */
  baseURL: string
  log: string
  logLevel: LogLevel
  username: string
  passwordHash: string
  adminPassword: string
  tokenLifetime: number
  queryToken: boolean
  /** Addresses and networks in CIDR form. */
  trustedProxies: readonly string[]
  disableExec: boolean
  requireCurrentPassword: boolean
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Server-side limits, each with its default. */
export const LIMITS = {
  /** Bytes of a JSON body. */
  jsonBody: 64 * 1024,
  /** Nesting of a JSON body. */
  jsonDepth: 32,
  /** Bytes of all request headers together. */
  headers: 16 * 1024,
  /** Milliseconds until the headers of a request must be complete. */
  headersTimeout: 15_000,
  /** Milliseconds without a byte in either direction after which a connection is closed. */
  idleTimeout: 120_000,
  /** Bytes of a refused body that are read and thrown away so that the connection survives. */
  drain: 32 * 1024 * 1024,
  /** Milliseconds a stopping server waits for running requests. */
  shutdown: 10_000,
} as const

/**
 * Reads flags and variables.
 * @throws AppError `bad_request` with a sentence for the console when a value makes no sense
 */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Config {
  const flags = readFlags(args)
  const value = (name: SettingName): string => given(name, flags, env) ?? SETTINGS[name].default
  return {
    root: resolve(value('root')),
    rootIsDefault: given('root', flags, env) === undefined,
    database: resolve(value('database')),
    address: value('address'),
    port: parsePort(value('port')),
    baseURL: parseBaseURL(value('baseURL')),
    log: value('log'),
    logLevel: parseLogLevel(value('logLevel')),
    username: value('username'),
    passwordHash: value('password'),
    adminPassword: value('adminPassword'),
    tokenLifetime: parseDuration(value('tokenExpirationTime')),
    queryToken: value('disableQueryToken') !== 'true',
    trustedProxies: parseNetworks(value('trustedProxies')),
    disableExec: value('disableExec') !== 'false',
    requireCurrentPassword: value('requireCurrentPassword') === 'true',
  }
}

function given(name: SettingName, flags: Map<string, string>, env: NodeJS.ProcessEnv): string | undefined {
  const setting: Setting = SETTINGS[name]
  const fromFlag = setting.flag === undefined ? undefined : flags.get(setting.flag)
  return fromFlag ?? setting.env.map(key => env[key]).find(text => text !== undefined && text !== '')
}

function readFlags(args: readonly string[]): Map<string, string> {
  const canonical = new Map<string, string>()
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const setting of Object.values<Setting>(SETTINGS)) {
    if (setting.flag === undefined) continue
    const type = setting.boolean ? 'boolean' : 'string'
    options[setting.flag] = setting.short ? { type, short: setting.short } : { type }
    canonical.set(setting.flag, setting.flag)
    for (const alias of setting.aliases ?? []) {
      options[alias] = { type }
      canonical.set(alias, setting.flag)
    }
  }
  const values = parseFlags(args, options)
  return new Map(Object.entries(values).map(([key, text]) => [canonical.get(key) ?? key, String(text)]))
}

function parseFlags(args: readonly string[], options: Record<string, { type: 'string' | 'boolean'; short?: string }>) {
  try {
    const plain = args.map(argument => withoutValue(argument, options))
    return parseArgs({ args: plain, options, strict: true, allowPositionals: false, allowNegative: true }).values
  } catch (error) {
    throw new AppError('bad_request', `${error instanceof Error ? error.message : error} Try: filigree help`)
  }
}

/** `--flag=false` of a switch in the spelling that the parser knows. */
function withoutValue(argument: string, options: Record<string, { type: 'string' | 'boolean' }>): string {
  const [, name = '', value] = /^--([^=]+)=(true|false)$/.exec(argument) ?? []
  if (options[name]?.type !== 'boolean') return argument
  return value === 'true' ? `--${name}` : `--no-${name}`
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new AppError('bad_request', `The port must be a number from 0 to 65535, not '${text}'.`)
  }
  return port
}

function parseBaseURL(text: string): string {
  const trimmed = text.replace(/\/+$/, '')
  if (trimmed === '') return ''
  const base = trimmed.startsWith('/') ? trimmed : `/${trimmed}`
  if (!/^(\/[\w.~-]+)+$/.test(base) || base.split('/').some(part => part === '.' || part === '..')) {
    throw new AppError('bad_request', `The base URL must be a plain path such as /files, not '${text}'.`)
  }
  return base
}

function parseNetworks(text: string): string[] {
  const networks = text.split(/[\s,]+/).filter(network => network !== '')
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most)
    if (isIP(address) === 0 || !fits || rest.length > 0) {
      throw new AppError(
        'bad_request',
        `A trusted proxy is an address or a network such as 10.0.0.0/8, not '${network}'.`,
      )
    }
  }
  return networks
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find(name => name === text)
  if (!level) throw new AppError('bad_request', `The log level is one of ${LOG_LEVELS.join(', ')}, not '${text}'.`)
  return level
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A Go-style duration such as `2h`, `30m` or `1h30m`, in milliseconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0)
  if (parts.map(part => part[0]).join('') !== text || total < 1000) {
    throw new AppError('bad_request', `A duration looks like 30m, 2h or 1h30m and is at least 1s, not '${text}'.`)
  }
  return total
}

/** The flags and variables as lines for the help text and the configuration reference. */
export function describeSettings(): string[] {
  return Object.values<Setting>(SETTINGS).map(setting => {
    const short = setting.short ? `-${setting.short}, ` : '    '
    const name = setting.flag ? `${short}--${setting.flag}` : `    (${setting.env[0]})`
    const fallback = setting.default === '' ? '' : ` Default: ${setting.default}.`
    return `  ${name.padEnd(28)} ${setting.doc}${fallback}`
  })
}
