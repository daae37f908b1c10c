import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'
import { apiUrl } from './config.ts'

/** `Accept` of a call for a folder: prefers NDJSON to JSON, the format for files. */
export const IN_ROWS = { headers: { Accept: `${LISTING_IN_ROWS}, application/json` } }

/** A call made before the application was loaded. */
export interface PreloadedCall {
  /** The token of the call. */
  token: string
  answer: Promise<Response>
  /** Aborts it. */
  abort(): void
}

const calls = new Map<string, PreloadedCall>()

/** The parts of a call that determine its response. */
type Call = Pick<RequestInit, 'method' | 'headers'>

const keyOf = (path: string, { method = 'GET', headers }: Call) =>
  `${method} ${path} ${new Headers(headers).get('accept')}`

/** Makes a call that the application is going to make; its response waits for `takePreloaded`. */
export function preloadCall(path: string, token: string, init: Call = {}): void {
  const aborting = new AbortController()
  const { signal } = aborting
  const answer = fetch(apiUrl(path), { ...init, headers: { ...init.headers, 'X-Auth': token }, signal })
  // It may never be taken.
  answer.catch(() => undefined)
  calls.set(keyOf(path, init), { token, answer, abort: () => aborting.abort() })
}

/** The preloaded call of this kind; only its first caller receives it. */
export function takePreloaded(path: string, init: Call = {}): PreloadedCall | undefined {
  const key = keyOf(path, init)
  const call = calls.get(key)
  calls.delete(key)
  return call
}

/** Calls not taken by now are out of date, or belong to another user. */
export function dropPreloaded(): void {
  for (const call of calls.values()) call.abort()
  calls.clear()
}
