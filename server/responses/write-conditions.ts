import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { WriteRequest } from '../files/files.ts'

/** Descriptions of the headers below. */
export const WRITE_HEADERS = {
  'If-Match': 'The version that may be replaced.',
  'If-Unmodified-Since': 'What stands there is replaced unless it was changed after this.',
  'Upload-Modified': 'When the file was changed last, in milliseconds since the epoch.',
}

/** Digits of a timestamp: longer ones are beyond any file system. */
const TIME = /^-?\d{1,14}$/

/**
 * The conditions of a request that writes a file (RFC 9110 13.1), and the file's date. An invalid date is ignored (RFC
 * 9110 13.1.4).
 * @throws bad_request for an invalid modification time
 */
export function conditionsOf({ headers }: FastifyRequest): Omit<WriteRequest, 'override'> {
  const ifMatch = expectedVersion(headers['if-match'])
  const unmodifiedSince = Date.parse(headers['if-unmodified-since'] ?? '')
  const modified = headers['upload-modified']
  if (modified !== undefined && (typeof modified !== 'string' || !TIME.test(modified))) {
    throw new AppError('bad_request', 'invalid modification time')
  }
  return {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    // An ETag takes precedence (RFC 9110 13.1.4).
    ...(Number.isNaN(unmodifiedSince) || ifMatch !== undefined ? {} : { unmodifiedSince }),
    ...(modified === undefined ? {} : { modified: Number(modified) }),
  }
}

/** The ETag in an `If-Match` header; several or weak ones match no version of ours. */
export function expectedVersion(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return /^"([^"]*)"$/.exec(header.trim())?.[1] ?? ''
}
