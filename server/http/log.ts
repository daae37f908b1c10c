import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { decodeEscapes } from '../../shared/bytes.ts'
import { isProbed } from '../../shared/diagnostics/probe-proxy.ts'
import type { Config } from '../config.ts'
import { LogFile } from './log-file.ts'

/** The process's log: one JSON object per line. Secrets never get here: see `loggedUrl`; headers are not logged. */
export function openLog(config: Pick<Config, 'log' | 'logLevel'>): Logger {
  const level = config.log === '' ? 'silent' : config.logLevel
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, target(config.log))
}

function target(log: string): DestinationStream {
  if (log === 'stdout' || log === '') return destination({ dest: 1, sync: true })
  if (log === 'stderr') return destination({ dest: 2, sync: true })
  return new LogFile(log)
}

/** One line per request: failures at `info`, the rest at `debug`, with the refusals that diagnostics provoke. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply.statusCode, reply.elapsedTime))
}

/** @param elapsed milliseconds since the request arrived */
export function logAnswer(request: FastifyRequest, status: number, elapsed: number): void {
  const { method, ip: client } = request
  const line = { method, url: loggedUrl(request), status, client, milliseconds: Math.round(elapsed) }
  if (status < 400) request.log.debug(line, 'answered')
  else if (status === 401 && isProbe(request)) request.log.debug(line, 'refused')
  else request.log.info(line, 'refused')
}

/** A request of diagnostics that only finds out whether it gets here. One with credentials may be an attempt to guess them. */
function isProbe({ routeOptions, raw: { url = '', headers } }: FastifyRequest): boolean {
  if (headers.authorization !== undefined || headers.cookie !== undefined || headers['x-auth'] !== undefined)
    return false
  return /\/(?:api\/resources|dav)\/\*$/.test(routeOptions.url ?? '') && isProbed(url)
}

const SECRET = new Set(['access_token', 'access_token_ttl', 'auth', 'token', 'ticket', 'link', 'code', 'state'])

/** The request target with the values of tokens and the names of share links redacted, however they are escaped. */
export function loggedUrl({ raw: { url = '', method = '' } }: FastifyRequest): string {
  const [path = '', ...query] = url.split('?')
  const shown = withoutLink(path, method)
  if (query.length === 0) return shown
  return `${shown}?${query.join('?').split('&').map(withoutSecret).join('&')}`
}

function withoutSecret(pair: string): string {
  const [name = ''] = pair.split('=')
  return SECRET.has(decodedName(name)) ? `${name}=…` : pair
}

const decodedName = (name: string) => [...new URLSearchParams(name).keys()][0]?.toLowerCase() ?? ''

/** The name of a share link grants access. An escaped slash separates names as well (http-api 1.2). */
function withoutLink(path: string, method: string): string {
  const pieces = path.split(/((?:\/|%2f)+)/i)
  const names = pieces.filter((_, index) => index % 2 === 0).map(name => (decodeEscapes(name) ?? name).toLowerCase())
  const at = linkIn(names, method)
  if (at !== undefined && names[at]) pieces[at * 2] = '…'
  return pieces.join('')
}

/** Which segment of a URL is a share link's name: in public calls, in those of its owner, or in the page of the link. */
function linkIn(names: readonly string[], method: string): number | undefined {
  const api = names.indexOf('api')
  const page = names.indexOf('share')
  if (page >= 0 && (api < 0 || page < api)) return page + 1
  if (api < 0) return undefined
  if (names[api + 1] === 'public') return api + 3
  if (names[api + 1] === 'links') return api + 2
  return names[api + 1] === 'share' && method === 'DELETE' ? api + 2 : undefined
}
