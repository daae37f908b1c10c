import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from '../config.ts'

/** The process's log: one JSON object a line. Secrets never get here: see `loggedUrl`, and headers are not logged. */
export function openLog(config: Pick<Config, 'log' | 'logLevel'>): Logger {
  const level = config.log === '' ? 'silent' : config.logLevel
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, target(config.log))
}

function target(log: string): DestinationStream {
  if (log === 'stdout' || log === '') return destination({ dest: 1, sync: true })
  if (log === 'stderr') return destination({ dest: 2, sync: true })
  return destination({ dest: log, mkdir: true, mode: 0o600, sync: true })
}

/** One line a request: failures at `info`, the rest at `debug`. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply.statusCode, reply.elapsedTime))
}

/** @param elapsed milliseconds since the request came */
export function logAnswer(request: FastifyRequest, status: number, elapsed: number): void {
  const { method, ip: client } = request
  const line = { method, url: loggedUrl(request), status, client, milliseconds: Math.round(elapsed) }
  if (status >= 400) request.log.info(line, 'refused')
  else request.log.debug(line, 'answered')
}

const SECRET = new Set(['auth', 'token'])

/** The request target without the values of tokens, however the names of their parameters are spelled. */
function loggedUrl(request: FastifyRequest): string {
  const [path = '', ...query] = (request.raw.url ?? '').split('?')
  if (query.length === 0) return path
  return `${path}?${query.join('?').split('&').map(withoutSecret).join('&')}`
}

function withoutSecret(pair: string): string {
  const [name = ''] = pair.split('=')
  return SECRET.has(decodedName(name)) ? `${name}=…` : pair
}

const decodedName = (name: string) => [...new URLSearchParams(name).keys()][0]?.toLowerCase() ?? ''
