import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { WriteRequest } from '../files/files.ts'

/** What the description tells of the headers below. */
export const WRITE_HEADERS = {
  'If-Match': 'The version that may be replaced.',
  'If-Unmodified-Since': 'What stands there is replaced unless it was changed after this.',
  'Upload-Modified': 'When the file was changed last, in milliseconds since the epoch.',
}

/** Digits of a time: far beyond what a file system can hold are not tried. */
const TIME = /^-?\d{1,14}$/

/**
 * What a request that brings a file says of what it may replace (RFC 9110 13.1), and of its date. A date that is none
 * is as if it were not there (RFC 9110 13.1.4).
 * @throws bad_request for a time of change that is none
 */
export function conditionsOf({ headers }: FastifyRequest): Omit<WriteRequest, 'override'> {
  const ifMatch = expectedVersion(headers['if-match'])
  const unmodifiedSince = Date.parse(headers['if-unmodified-since'] ?? '')
  const modified = headers['upload-modified']
  if (modified !== undefined && (typeof modified !== 'string' || !TIME.test(modified))) {
    throw new AppError('bad_request', 'invalid time of change')
  }
  return {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    // A version says it all (RFC 9110 13.1.4).
    ...(Number.isNaN(unmodifiedSince) || ifMatch !== undefined ? {} : { unmodifiedSince }),
    ...(modified === undefined ? {} : { modified: Number(modified) }),
  }
}

/** The version an `If-Match` header names; several or weak ones match nothing we could have handed out. */
export function expectedVersion(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return /^"([^"]*)"$/.exec(header.trim())?.[1] ?? ''
}
