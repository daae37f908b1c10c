import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { decodeEscapes } from '../../shared/bytes.ts'
import { AppError } from '../errors.ts'

/**
 * The URL that the router matches. The router decodes all of it and accepts UTF-8 only, so bytes that are not UTF-8 are
 * masked; they occur in file paths alone, which the router does not distinguish. An invalid escape stays invalid.
 */
export function routableUrl({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (decodeEscapes(path)?.isWellFormed() !== false) return url
  return path.replace(/%[89a-f][0-9a-f]/gi, '%EF%BF%BD') + url.slice(path.length)
}

/**
 * The same behind a proxy that strips the base URL: it is prepended at once, so that all other code sees URLs in one
 * form; a URL that arrives with it does not exist.
 */
export function routableBelow(baseURL: string) {
  return (request: IncomingMessage & { originalUrl?: string }): string => {
    const url = `${baseURL}${request.url ?? ''}`
    request.originalUrl = url
    return routableUrl({ url })
  }
}

/** Restores each request's own URL once its route is found. Call before other hooks are added. */
export function setClientAddress(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    request.raw.url = request.originalUrl
  })
}

/**
 * Stores the peer address of each request: a client that disconnects takes its address along, and the logs still need
 * it. A request whose client disconnected before the address could be read is not run. Call before other hooks are
 * added.
 */
export function setClientOrigin(app: FastifyInstance): void {
  // A socket caches its address after the first read.
  for (const event of ['connection', 'secureConnection'])
    app.server.on(event, ({ remoteAddress }: Socket) => remoteAddress)
  app.addHook('onRequest', async request => {
    // A Unix socket has no address.
    const ip = request.ip ?? ''
    if (ip === '' && request.raw.socket.destroyed) throw new AppError('incomplete_body', 'the client disconnected')
    Object.defineProperty(request, 'ip', { value: ip })
  })
}

/**
 * A query's parameters; repeated ones as lists. A `+` is a space, bytes that are not UTF-8 are carried as in paths, and
 * a value with an invalid escape is taken literally.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name = '', ...rest] = pair.split('=')
    const key = decoded(name)
    const value = decoded(rest.join('='))
    const before = query[key]
    if (Array.isArray(before)) before.push(value)
    else query[key] = before === undefined ? value : [before, value]
  }
  return query
}

function decoded(part: string): string {
  const text = part.replaceAll('+', ' ')
  return decodeEscapes(text) ?? text
}
