import { isIP } from 'node:net'
import { SEARCH_ANSWERS, type SearchAnswers } from '../../shared/api/search.ts'
import { PASSWORD_COSTS, type PasswordCost } from '../../shared/password-cost.ts'
import { AppError } from '../errors.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const SANDBOXES = ['bubblewrap', 'none'] as const
/** The sandbox of commands and hooks. */
export type SandboxKind = (typeof SANDBOXES)[number]

export function parseSandbox(text: string): SandboxKind {
  const kind = SANDBOXES.find(name => name === text)
  if (!kind) throw new AppError('bad_request', `The sandbox must be one of ${SANDBOXES.join(', ')}, not '${text}'.`)
  return kind
}

export const ROLES = ['all', 'web', 'worker'] as const
/** Whether a server serves requests, runs jobs, or both. */
export type Roles = (typeof ROLES)[number]

/** @param shared whether several servers can use the database */
export function parseRoles(text: string, shared: boolean): Roles {
  const roles = ROLES.find(name => name === text)
  if (!roles) throw new AppError('bad_request', `The role must be one of ${ROLES.join(', ')}, not '${text}'.`)
  if (roles === 'all' || shared) return roles
  throw new AppError('bad_request', 'The roles web and worker need PostgreSQL: name a database with --database.')
}

export function parsePasswordCost(text: string): PasswordCost {
  const [, cost] = Object.entries(PASSWORD_COSTS).find(([name]) => name === text) ?? []
  if (cost) return cost
  const names = Object.keys(PASSWORD_COSTS).join(', ')
  throw new AppError('bad_request', `The password cost must be one of ${names}, not '${text}'.`)
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65535) {
    throw new AppError('bad_request', `The port must be a number from 0 to 65535, not '${text}'.`)
  }
  return port
}

/** An address and a port, such as `127.0.0.1:9180` or `[::1]:9180`; without an address, all interfaces. */
export function parseListening(text: string): { host: string; port: number } | undefined {
  if (text === '') return undefined
  const [, inBrackets, plain = '', port = ''] = /^(?:\[([\d:a-f.]+)\]|([^:]*)):(\d+)$/i.exec(text) ?? []
  if (port === '')
    throw new AppError('bad_request', `The address and port must look like 127.0.0.1:9180, not '${text}'.`)
  return { host: inBrackets ?? (plain || '0.0.0.0'), port: parsePort(port) }
}

/** Number of preview processes, 1 to 128. */
export function parseProcessors(text: string): number {
  const count = Number(text)
  if (!/^\d{1,3}$/.test(text) || count < 1 || count > 128) {
    throw new AppError('bad_request', `The image processors must be a number from 1 to 128, not '${text}'.`)
  }
  return count
}

/** Maximum pixels of an image, within what fits into the memory of a process. */
export function parsePixels(text: string): number {
  const count = Number(text)
  if (!/^\d{1,9}$/.test(text) || count < 1) {
    throw new AppError(
      'bad_request',
      `The maximum of image pixels must be a number from 1 to 999999999, not '${text}'.`,
    )
  }
  return count
}

/** A limit for extracting archives. */
export const parseExtractLimit = (text: string): number => parseLimit(text, 'An archive limit')

/** Maximum bytes of indexed text. */
export const parseContentLimit = (text: string): number => parseLimit(text, 'The limit of the content index')

function parseLimit(text: string, what: string): number {
  const most = Number(text)
  if (!/^\d{1,16}$/.test(text) || most < 1 || !Number.isSafeInteger(most)) {
    throw new AppError('bad_request', `${what} must be a number from 1, not '${text}'.`)
  }
  return most
}

/** Days of the audit log: up to a hundred years; 0 for ever. */
export function parseAuditDays(text: string): number {
  const days = Number(text)
  if (!/^\d{1,5}$/.test(text) || days > 36_500) {
    throw new AppError('bad_request', `The days of the audit log must be a number from 0 to 36500, not '${text}'.`)
  }
  return days
}

/** Maximum rows of the audit log, at least 1000. */
export function parseAuditRows(text: string): number {
  const rows = Number(text)
  if (!/^\d{1,9}$/.test(text) || rows < 1000) {
    throw new AppError(
      'bad_request',
      `The rows of the audit log must be a number from 1000 to 999999999, not '${text}'.`,
    )
  }
  return rows
}

/** `''` or `/…` without a trailing slash. */
export function parseBaseURL(text: string): string {
  const trimmed = text.replace(/\/+$/, '')
  if (trimmed === '') return ''
  const base = trimmed.startsWith('/') ? trimmed : `/${trimmed}`
  if (!/^(\/[\w.~-]+)+$/.test(base) || base.split('/').some(part => part === '.' || part === '..')) {
    throw new AppError('bad_request', `The base URL must be a plain path such as /files, not '${text}'.`)
  }
  return base
}

/** `''`, or an origin as browsers serialize it. */
export function parseOrigin(text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (!isPlain) {
    throw new AppError('bad_request', `The content origin must look like https://files-content.example, not '${text}'.`)
  }
  return url.origin
}

/** `''`, or a plain path with a leading and a trailing slash. @param proxies the trusted proxies */
export function parseAccelRedirect(text: string, proxies: readonly string[]): string {
  if (text === '') return ''
  if (!/^(\/[\w-]+)+\/$/.test(text)) {
    throw new AppError('bad_request', `The nginx location must look like /filigree-files/, not '${text}'.`)
  }
  if (proxies.length > 0) return text
  throw new AppError('bad_request', '--accelRedirect needs --trustedProxies.')
}

/** Host names as in URLs: lower case, punycode, IPv6 in brackets, no port. */
export function parseHosts(text: string): string[] {
  return text.split(/[\s,]+/).flatMap(name => {
    if (name === '') return []
    const url = URL.parse(`http://${name}`)
    if (!url || url.href !== `http://${url.hostname}/`) {
      throw new AppError('bad_request', `An allowed host must be a name such as files.example.org, not '${name}'.`)
    }
    return [url.hostname]
  })
}

/** IP addresses and networks in CIDR notation. */
export function parseNetworks(text: string): string[] {
  const networks = text.split(/[\s,]+/).filter(network => network !== '')
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= most)
    if (isIP(address) === 0 || !fits || rest.length > 0) {
      throw new AppError(
        'bad_request',
        `A trusted proxy must be an address or a network such as 10.0.0.0/8, not '${network}'.`,
      )
    }
  }
  return networks
}

export const parseLogLevel = (text: string): LogLevel => oneOf(LOG_LEVELS, text, 'log level')

export const NAME_INDEX_MODES = ['auto', 'always', 'scheduled', 'off'] as const
export type NameIndexMode = (typeof NAME_INDEX_MODES)[number]

export const parseNameIndex = (text: string): NameIndexMode => oneOf(NAME_INDEX_MODES, text, 'name index')

export const CONTENT_INDEX_MODES = ['auto', 'always', 'off'] as const
export type ContentIndexMode = (typeof CONTENT_INDEX_MODES)[number]

export const parseContentIndex = (text: string): ContentIndexMode => oneOf(CONTENT_INDEX_MODES, text, 'content index')

export const parseSearchAnswers = (text: string): SearchAnswers =>
  oneOf(SEARCH_ANSWERS, text, 'format of search results')

function oneOf<T extends string>(words: readonly T[], text: string, what: string): T {
  const word = words.find(name => name === text)
  if (!word) throw new AppError('bad_request', `The ${what} must be one of ${words.join(', ')}, not '${text}'.`)
  return word
}

/** Permission bits from octal digits: `0660`, `0o660` or `660`. */
export function parseMode(text: string): number {
  const [, digits] = /^(?:0o?)?([0-7]{3})$/.exec(text) ?? []
  if (digits === undefined) {
    throw new AppError('bad_request', `A mode must be octal, such as 0660, not '${text}'.`)
  }
  return Number.parseInt(digits, 8)
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A Go-style duration such as `2h`, `30m` or `1h30m`, in milliseconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0)
  if (parts.map(part => part[0]).join('') !== text || total < 1000) {
    throw new AppError('bad_request', `A duration must look like 30m, 2h or 1h30m and be at least 1s, not '${text}'.`)
  }
  return total
}
