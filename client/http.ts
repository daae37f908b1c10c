import { errorOf, FiligreeError } from './error.ts'

export interface ConnectOptions {
  /** The address of the server, with its base URL. */
  url: string
  /** An API token or a session token; a function is asked before each request. */
  token?: string | (() => string | Promise<string>)
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch
}

/** One request. */
export interface Call {
  method?: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  headers?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  json?: unknown
  body?: Blob
  /** Media types that are accepted; JSON unless given. */
  accept?: string
  signal?: AbortSignal | undefined
}

/** Requests with the credentials of one client. */
export class Http {
  readonly #url: string
  readonly #fetch: typeof fetch
  #token: ConnectOptions['token']
  #renewal: Promise<void> | undefined

  constructor({ url, token, fetch: given = globalThis.fetch }: ConnectOptions) {
    this.#url = url.replace(/\/+$/, '')
    this.#token = token
    this.#fetch = given
  }

  /** A response of any status; a session token that ends soon is renewed after it. */
  async send(path: string, call: Call = {}): Promise<Response> {
    const response = await this.#request(path, call)
    if (response.headers.get('x-renew-token') === 'true') {
      this.#renewal ??= this.#renew().finally(() => {
        this.#renewal = undefined
      })
      await this.#renewal
    }
    return response
  }

  /** A successful response. @throws FiligreeError */
  async call(path: string, call?: Call): Promise<Response> {
    const response = await this.send(path, call)
    if (!response.ok) throw await errorOf(response)
    return response
  }

  /** The JSON of a successful response. @throws FiligreeError */
  async json<T>(path: string, call?: Call): Promise<T> {
    return (await (await this.call(path, call)).json()) as T
  }

  /** A successful call whose body is of no interest. @throws FiligreeError */
  async act(path: string, call?: Call): Promise<Headers> {
    const response = await this.call(path, call)
    await response.body?.cancel()
    return response.headers
  }

  async #request(path: string, { query = {}, json, accept = 'application/json', ...call }: Call): Promise<Response> {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    const token = typeof this.#token === 'function' ? await this.#token() : this.#token
    const headers = new Headers({ Accept: `${accept}, application/problem+json` })
    if (token !== undefined) headers.set('X-Auth', token)
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers.set(name, value)
    const body = json === undefined ? call.body : JSON.stringify(json)
    const send = this.#fetch
    return send(`${this.#url}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method: call.method ?? 'GET',
      headers,
      credentials: 'omit',
      ...(body === undefined ? {} : { body }),
      ...(call.signal ? { signal: call.signal } : {}),
    })
  }

  /** A renewed token replaces the old one, which ends. One that cannot be renewed stays until the server refuses it. */
  async #renew(): Promise<void> {
    if (typeof this.#token !== 'string') return
    const response = await this.#request('/api/renew', { method: 'POST' })
    if (response.ok) this.#token = await response.text()
  }
}

/** A path of the API: each name percent-encoded. @param path absolute in the scope of the account */
export function at(prefix: string, path: string): string {
  if (!path.startsWith('/')) throw new TypeError(`A path begins with a slash: ${path}`)
  return prefix + path.split('/').map(encodeURIComponent).join('/')
}

/** The same for a folder, with a slash at the end. */
export const atFolder = (prefix: string, path: string): string => at(prefix, path.endsWith('/') ? path : `${path}/`)

/** Milliseconds to wait; rejects when the signal fires. */
export function pause(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, time)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Whether another try may help: the connection failed, or the server is overloaded. */
export const mayPass = (error: unknown): boolean =>
  error instanceof FiligreeError ? error.status === 429 || error.status >= 500 : error instanceof TypeError
