import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { decodeEscapes } from '../../shared/bytes.ts'
import { AppError } from '../errors.ts'

/**
 * The address that the router looks at. It decodes the whole of it and knows UTF-8 only, so that bytes which are not
 * are covered up; that happens in file paths alone, which the router does not tell apart. A bad escape stays one.
 */
export function routableUrl({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (decodeEscapes(path)?.isWellFormed() !== false) return url
  return path.replace(/%[89a-f][0-9a-f]/gi, '%EF%BF%BD') + url.slice(path.length)
}

/**
 * The same behind a proxy that takes the base URL off: it is put back at once, so that all else knows addresses in one
 * form, and one that came with it is not there.
 */
export function routableBelow(baseURL: string) {
  return (request: IncomingMessage & { originalUrl?: string }): string => {
    const url = `${baseURL}${request.url ?? ''}`
    request.originalUrl = url
    return routableUrl({ url })
  }
}

/** Gives each request its own address back once it has found its route. To be called before other hooks are added. */
export function keepAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    request.raw.url = request.originalUrl
  })
}

/**
 * Keeps where each request came from: a client that leaves takes its address along, and the logs have yet to tell of it.
 * What comes from somebody who was gone before they could be asked is not done. To be called before other hooks are added.
 */
export function keepClients(app: FastifyInstance): void {
  // A socket that was asked once knows it for ever.
  for (const event of ['connection', 'secureConnection'])
    app.server.on(event, ({ remoteAddress }: Socket) => remoteAddress)
  app.addHook('onRequest', async request => {
    // A socket of this machine has no address.
    const ip = request.ip ?? ''
    if (ip === '' && request.raw.socket.destroyed) throw new AppError('incomplete_body', 'the client went away')
    Object.defineProperty(request, 'ip', { value: ip })
  })
}

/**
 * A query's parameters; those given several times as lists. A `+` is a space, bytes that are not UTF-8 are carried as
 * in paths, and what holds a bad escape is taken as it is.
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
