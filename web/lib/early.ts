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

const keyOf = (path: string, method = 'GET') => `${method} ${path}`

/** Makes a call that the application is going to make; whatever comes of it waits for `takeEarly`. */
export function callEarly(path: string, token: string, method?: string): void {
  const aborting = new AbortController()
  const headers = { 'X-Auth': token }
  const answer = fetch(apiUrl(path), { ...(method && { method }), headers, signal: aborting.signal })
  // Nobody may ever ask for it.
  answer.catch(() => undefined)
  calls.set(keyOf(path, method), { token, answer, abort: () => aborting.abort() })
}

/** The call of this kind, to whoever makes it first. */
export function takeEarly(path: string, method?: string): EarlyCall | undefined {
  const key = keyOf(path, method)
  const call = calls.get(key)
  calls.delete(key)
  return call
}

/** What was not asked for by now belongs to another moment, or to somebody else. */
export function dropEarly(): void {
  for (const call of calls.values()) call.abort()
  calls.clear()
}
