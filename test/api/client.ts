import type { Instance } from './harness.ts'
import { observe } from './observe.ts'

/** A complete response. */
export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
  text: string
}

export interface Call {
  method?: string
  token?: string
  headers?: Record<string, string>
  body?: string | Buffer<ArrayBuffer>
}

/** Calls a path below the base URL. The path must be encoded; redirects are not followed. */
export async function call(instance: Pick<Instance, 'url'>, path: string, how: Call = {}): Promise<Answer> {
  const headers = { ...how.headers, ...(how.token === undefined ? {} : { 'X-Auth': how.token }) }
  const response = await fetch(`${instance.url}${path}`, {
    method: how.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(how.body === undefined ? {} : { body: how.body }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  observe(how.method ?? 'GET', `${instance.url}${path}`, response.status)
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') }
}

/** The JSON of a response, after its status was checked by the caller. @throws Error with the text that is none */
export function json({ text }: Pick<Answer, 'text'>) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`not JSON: ${text.slice(0, 300)}`, { cause })
  }
}

/** The wire spelling of a path: every segment percent-encoded. */
export const encode = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

export const login = (instance: Pick<Instance, 'url'>, username: string, password: string): Promise<Answer> =>
  call(instance, '/api/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password, recaptcha: '' }),
  })

/** What is needed to call a server as its administrator, `admin` by default. */
export type Place = Pick<Instance, 'url' | 'adminPassword' | 'adminName'>

/** A token of a user who must be able to sign in; the administrator by default. */
export async function signIn(
  instance: Place,
  username = instance.adminName ?? 'admin',
  password = instance.adminPassword,
): Promise<string> {
  const answer = await login(instance, username, password)
  if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.status} ${answer.text}`)
  return answer.text
}

/** The claims of a token. */
export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** Calls as one user. Paths are not encoded; a trailing slash is kept. */
export interface Person {
  token: string
  get(path: string, query?: string): Promise<Answer>
  raw(path: string, query?: string, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: string | Buffer<ArrayBuffer>, query?: string): Promise<Answer>
  remove(path: string, query?: string): Promise<Answer>
  usage(path: string): Promise<Answer>
}

export async function person(instance: Place, username?: string, password?: string): Promise<Person> {
  const token = await signIn(instance, username, password)
  const resource = (path: string, query: string) => `/api/resources${encode(path)}${query}`
  return {
    token,
    get: (path, query = '') => call(instance, resource(path, query), { token }),
    raw: (path, query = '', headers = {}) => call(instance, `/api/raw${encode(path)}${query}`, { token, headers }),
    put: (path, body = '', query = '') => call(instance, resource(path, query), { method: 'POST', token, body }),
    remove: (path, query = '') => call(instance, resource(path, query), { method: 'DELETE', token }),
    usage: path => call(instance, `/api/usage${encode(path)}`, { token }),
  }
}
