import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TrashMode } from '../../shared/api/trash.ts'
import { AppError } from '../errors.ts'
import type { WriteRequest } from '../files/files.ts'
import { remark } from '../routing/route.ts'

/** The ETag of a version, with its quotes (RFC 9110, 8.8.3). */
export const etagOf = (version: string): string => `"${version}"`

/**
 * Whether a list of entity tags contains this one (RFC 9110, 13.1.1).
 * @param etag with its quotes
 * @param how `weakly` also matches a weak tag
 */
export function namesVersion(header: string, etag: string, { weakly = false } = {}): boolean {
  if (header.trim() === '*') return true
  const tags = header.split(',').map(tag => tag.trim())
  return tags.includes(etag) || (weakly && tags.includes(`W/${etag}`))
}

/** Validators of the content that would be sent. */
export interface Validators {
  /** With its quotes. */
  etag: string
  /** Milliseconds since the epoch; NaN, which no date matches, if unknown. */
  modified: number
}

/**
 * Evaluates the conditions of a GET or HEAD in the order of RFC 9110, 13.2.2.
 * @returns the status that ends the request, or undefined to continue
 */
export function evaluateConditions(headers: IncomingHttpHeaders, now: Validators): 304 | 412 | undefined {
  const seconds = Math.floor(now.modified / 1000)
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined) {
    if (!namesVersion(ifMatch, now.etag)) return 412
  } else if (isAfter(seconds, headers['if-unmodified-since'])) return 412
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return namesVersion(ifNoneMatch, now.etag, { weakly: true }) ? 304 : undefined
  return isNotAfter(seconds, headers['if-modified-since']) ? 304 : undefined
}

/** Whether a `Range` applies: `If-Range` matches the current version by ETag, or by date (RFC 9110, 13.1.5). */
export function rangeApplies(ifRange: string | undefined, now: Validators): boolean {
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === now.etag
  return Date.parse(ifRange) === Math.floor(now.modified / 1000) * 1000
}

const seconds = (date: string | undefined) => (date === undefined ? Number.NaN : Date.parse(date) / 1000)
const isAfter = (modified: number, date: string | undefined) => modified > seconds(date)
const isNotAfter = (modified: number, date: string | undefined) => modified <= seconds(date)

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

/** How a deletion uses the trash by the host's mode and the client's header; see `RemovalOptions`. */
export function trashUse({ headers }: Pick<FastifyRequest, 'headers'>, mode: TrashMode): { trash?: 'never' | 'only' } {
  if (mode === 'off') return { trash: 'never' }
  if (headers['x-trash'] === '1') return { trash: 'only' }
  return mode === 'choice' ? { trash: 'never' } : {}
}

/** Descriptions of the headers about a file that was written. */
export const WRITTEN = {
  ETag: 'Version of the file.',
  'X-Kept':
    'Where a file was replaced: the id of the version that its content became, or `no` if it could not be kept.',
}

/** What became of the contents that a copy or a move replaced, for `X-Kept`: of several only that one could not be kept. */
export class KeptContents {
  #kept: string | undefined
  #count = 0

  readonly add = (kept: string): void => {
    this.#count += 1
    if (this.#kept !== 'no') this.#kept = kept
  }

  get value(): string | undefined {
    return this.#count === 1 || this.#kept === 'no' ? this.#kept : undefined
  }
}

/** Description of the header about what a copy or a move replaced. */
export const REPLACED = {
  'X-Kept': `${WRITTEN['X-Kept']} Of several in folders that merge only \`no\`, if one could not be kept.`,
}

/** Sets the headers about a file that was written; webhooks learn its size. */
export function setWritten(
  reply: FastifyReply,
  { version, kept, size }: { version: string; kept?: string; size?: number },
): FastifyReply {
  if (size !== undefined) remark(reply.request, { facts: { size } })
  if (kept !== undefined) reply.header('X-Kept', kept)
  return reply.header('ETag', etagOf(version))
}
