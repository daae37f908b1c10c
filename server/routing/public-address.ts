import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** What determines the address under which clients reach the server. */
export interface AddressConfig {
  /** Without a trailing slash; `''` at the root. */
  baseURL: string
  /** Address under which browsers reach the server, with the base URL; `''` for that of each request. */
  publicURL: string
}

/** The address of the server as its clients know it, without a trailing slash. @throws AppError `bad_request` */
export function publicAddress(request: FastifyRequest, { publicURL, baseURL }: AddressConfig): string {
  if (publicURL !== '') return publicURL
  const url = URL.parse(`${request.protocol}://${request.host}`)
  if (!url || url.host === '') throw new AppError('bad_request', 'the host is missing')
  return `${url.origin}${baseURL}`
}
