import { WEBHOOK_MODES, type WebhookMode } from '../../shared/api/webhooks.ts'
import { PASSWORD_COSTS, type PasswordCost } from '../../shared/password-cost.ts'
import { type FilePath, parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { isNetwork } from '../lib/networks.ts'

export function parsePasswordCost(text: string): PasswordCost {
  const [, cost] = Object.entries(PASSWORD_COSTS).find(([name]) => name === text) ?? []
  if (cost) return cost
  const names = Object.keys(PASSWORD_COSTS).join(', ')
  throw new AppError('bad_request', `The password cost must be one of ${names}, not '${text}'.`)
}

/** Reads decimal numbers between two limits. @param what the subject of the error message */
export const wholeNumber =
  (what: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new AppError('bad_request', `${what} must be a number from ${least} to ${most}, not '${text}'.`)
  }

/** Maximum length in characters of patterns for names. */
const MAX_PATTERNS = 1000

export const parsePort = wholeNumber('The port', 0, 65_535)

/** An address and a port, such as `127.0.0.1:9180` or `[::1]:9180`; without an address, all interfaces. */
export function parseListening(text: string): { host: string; port: number } | undefined {
  if (text === '') return undefined
  const [, inBrackets, plain = '', port = ''] = /^(?:\[([\d:a-f.]+)\]|([^:]*)):(\d+)$/i.exec(text) ?? []
  if (port === '')
    throw new AppError('bad_request', `The address and port must look like 127.0.0.1:9180, not '${text}'.`)
  return { host: inBrackets ?? (plain || '0.0.0.0'), port: parsePort(port) }
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

/**
 * Sources of `frame-ancestors` (CSP Level 3, 6.4.2): origins, and the server's own as `self`. Wildcards and schemes would
 * allow pages that the host has not named.
 */
export function parseAncestors(text: string): string[] {
  return text.split(/[\s,]+/).flatMap(word => {
    if (word === '') return []
    if (word === 'self') return ["'self'"]
    const url = URL.parse(word)
    // Characters that have a meaning in a policy cannot be in an origin.
    if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href || /[*;,']/.test(url.origin)) {
      throw new AppError(
        'bad_request',
        `A frame ancestor must be self, or look like https://home.example, not '${word}'.`,
      )
    }
    return [url.origin]
  })
}

/** Patterns of snapshots besides the usual places; `undefined` for none at all. */
export function parseSnapshots(text: string): readonly string[] | undefined {
  const words = text.split(',').map(word => word.trim())
  if (words.join() === 'off') return undefined
  const patterns = words.filter(word => word !== '' && word !== 'auto')
  for (const pattern of patterns) {
    const parts = pattern.split('/')
    const isPath = pattern.startsWith('/') || pattern.startsWith('{top}/')
    if (isPath && !parts.includes('..') && parts.filter(part => part.includes('%')).length === 1) continue
    throw new AppError(
      'bad_request',
      `Snapshots must be off, auto, or paths with the time in one name, such as /mnt/snaps/home.%Y%m%dT%H%M, not '${pattern}'.`,
    )
  }
  return patterns
}

/** `''`, or a plain path with a leading and a trailing slash. */
export function parseAccelRedirect(text: string): string {
  if (text === '' || /^(\/[\w-]+)+\/$/.test(text)) return text
  throw new AppError('bad_request', `The nginx location must look like /filigree-files/, not '${text}'.`)
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

/** Paths of folders in the served root. */
export function parseFolders(text: string): FilePath[] {
  return text.split(',').flatMap(word => {
    const path = word.trim()
    if (path === '') return []
    if (path.startsWith('/')) return [parsePath(path)]
    throw new AppError(
      'bad_request',
      `A folder of the served root must begin with a slash, as /backups; not '${path}'.`,
    )
  })
}

/** Two hours of the day; both are the same for the whole day. */
export function parseHours(text: string): { from: number; to: number } {
  const [, from, to] = /^([01]?\d|2[0-4])-([01]?\d|2[0-4])$/.exec(text.trim()) ?? []
  if (from !== undefined && to !== undefined) return { from: Number(from) % 24, to: Number(to) % 24 }
  throw new AppError('bad_request', `Hours of the day must look like 01-06, not '${text}'.`)
}

/** `''`, or the address under which browsers reach the server, without a trailing slash. */
export const parsePublicURL = (text: string): string => parseAddress('The public URL', text)

/** @param what the setting, at the beginning of a sentence */
function parseAddress(what: string, text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  // Characters that have a meaning in a policy of a page cannot be in an origin.
  if (!isPlain || /[*;,']/.test(url.origin)) {
    throw new AppError(
      'bad_request',
      `${what} must look like https://files.example.org or https://example.org/files, not '${text}'.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** `''`, or an address of the office editor or for it, without a trailing slash. */
export const parseOfficeURL = (text: string): string => parseAddress('The address of the office editor', text)

/** A number of bytes; nothing for `auto`. */
export const parseSpareSpace = (text: string): number | undefined =>
  text === 'auto' ? undefined : wholeNumber('The spare space', 0)(text)

/** IP addresses and networks in CIDR notation. */
/** Who may have webhooks; `true` and `false` are words of earlier versions. */
export function parseWebhooks(text: string): WebhookMode {
  const word = text === 'true' ? 'admins' : text === 'false' ? 'off' : text
  const mode = WEBHOOK_MODES.find(one => one === word)
  if (mode === undefined) throw new AppError('bad_request', `Webhooks are for ${WEBHOOK_MODES.join(', ')}.`)
  return mode
}

export function parseNetworks(text: string): string[] {
  const networks = text.split(/[\s,]+/).filter(network => network !== '')
  for (const network of networks) {
    if (!isNetwork(network)) {
      throw new AppError('bad_request', `A network must be an address, or written like 10.0.0.0/8, not '${network}'.`)
    }
  }
  return networks
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

/** Reads durations between two limits. @param what the subject of the error message */
export const durationBetween =
  (what: string, least: string, most: string) =>
  (text: string): number => {
    const duration = parseDuration(text)
    if (duration >= parseDuration(least) && duration <= parseDuration(most)) return duration
    throw new AppError('bad_request', `${what} must be from ${least} to ${most}, not '${text}'.`)
  }

/** A test of names against patterns separated by commas, in which `*` stands for any characters; letter case is ignored. */
export function parseNamePatterns(text: string): (name: string) => boolean {
  if (text.includes('/') || text.length > MAX_PATTERNS) {
    throw new AppError(
      'bad_request',
      `The names of files must have no slash and be short, not '${text.slice(0, 100)}'.`,
    )
  }
  const patterns = text
    .toLowerCase()
    .split(',')
    .flatMap(part => part.trim() || [])
    .map(parsePattern)
  return name => patterns.some(fits => fits(name.toLowerCase()))
}

/** A test of texts against one pattern, in which `*` stands for any characters; letter case counts. */
export function parsePattern(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  return text => matches(text, pieces)
}

/** Whether a text consists of some pieces in order, with anything between them. */
function matches(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** A key of 32 bytes in base64; `undefined` for none. @throws AppError `bad_request` */
export function parseSecretKey(text: string): Buffer | undefined {
  if (text === '') return undefined
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new AppError('bad_request', 'The secret key must be 32 bytes in base64.')
  return key
}
