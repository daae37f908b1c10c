import { apiUrl } from './config.ts'

/** A call that was made before the application was there. */
export interface EarlyCall {
  /** The token it was made with. */
  token: string
  answer: Promise<Response>
  /** Calls it off. */
  abort(): void
}

const calls = new Map<string, EarlyCall>()

/** What of a call decides about its answer. */
type Call = Pick<RequestInit, 'method' | 'headers'>

const keyOf = (path: string, { method = 'GET', headers }: Call) =>
  `${method} ${path} ${new Headers(headers).get('accept')}`

/** Makes a call that the application is going to make; whatever comes of it waits for `takeEarly`. */
export function callEarly(path: string, token: string, init: Call = {}): void {
  const aborting = new AbortController()
  const { signal } = aborting
  const answer = fetch(apiUrl(path), { ...init, headers: { ...init.headers, 'X-Auth': token }, signal })
  // Nobody may ever ask for it.
  answer.catch(() => undefined)
  calls.set(keyOf(path, init), { token, answer, abort: () => aborting.abort() })
}

/** The call of this kind, to whoever makes it first. */
export function takeEarly(path: string, init: Call = {}): EarlyCall | undefined {
  const key = keyOf(path, init)
  const call = calls.get(key)
  calls.delete(key)
  return call
}

/** What was not asked for by now belongs to another moment, or to somebody else. */
export function dropEarly(): void {
  for (const call of calls.values()) call.abort()
  calls.clear()
}
