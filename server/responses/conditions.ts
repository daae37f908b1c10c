import type { IncomingHttpHeaders } from 'node:http'
import { namesVersion } from '../routing/route.ts'

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
