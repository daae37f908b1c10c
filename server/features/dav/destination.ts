import type { FastifyRequest } from 'fastify'
import { type FilePath, parseEncodedPath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'

const LONGEST = 8192
const ABSOLUTE = /^https?:\/\/[^/?#\s]*(\/.*)$/i

/**
 * The path in the header `Destination` (RFC 4918, 10.3). Its scheme and host are ignored, since a proxy may have changed
 * those of the request; the path is decoded once, as that of a request.
 * @throws AppError `bad_request`, and `forbidden` for what is not WebDAV here; PathError
 */
export function destinationOf({ headers }: FastifyRequest, baseURL: string): FilePath {
  const header = headers.destination
  if (typeof header !== 'string' || header === '') throw new AppError('bad_request', 'destination: is missing')
  const path = header.startsWith('/') ? header : ABSOLUTE.exec(header)?.[1]
  const isWrong = path === undefined || header.length > LONGEST || /[?#\s]/.test(header) || path.startsWith('//')
  if (isWrong || hasUser(header)) throw new AppError('bad_request', 'destination: is no address of WebDAV')
  const start = `${baseURL}/dav`
  if (path !== start && !path.startsWith(`${start}/`)) throw new AppError('forbidden', 'destination: is elsewhere')
  return parseEncodedPath(path.slice(start.length))
}

const hasUser = (header: string) => /^https?:\/\/[^/]*@/i.test(header)

/** The header `Overwrite` (RFC 4918, 10.6). @throws AppError `bad_request` */
export function mayOverwrite({ headers }: FastifyRequest): boolean {
  const { overwrite = 'T' } = headers
  if (overwrite === 'T' || overwrite === 't') return true
  if (overwrite === 'F' || overwrite === 'f') return false
  throw new AppError('bad_request', 'overwrite: must be T or F')
}
