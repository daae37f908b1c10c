import { randomInt } from 'node:crypto'
import { type Answer, call, json } from '../api/client.ts'
import type { Instance, StartOptions } from '../api/harness.ts'
import { CLIENT } from './client.ts'
import type { FalseProvider } from './false-provider.ts'

/** Start options of a server with providers. */
export const withProviders = (providers: readonly object[], more: StartOptions = {}): StartOptions => ({
  ...more,
  // So that tests come from different networks, as their sign-ins are counted.
  args: ['--trustedProxies', '127.0.0.1', ...(more.args ?? [])],
  env: { ...more.env, FILIGREE_PROVIDERS: JSON.stringify(providers) },
})

/** The settings of one provider; everything else has its default. */
export const providerAt = (issuer: string, more: object = {}): object => ({ slug: 'home', issuer, ...CLIENT, ...more })

type Place = Pick<Instance, 'url'>

/** A sign-in that a browser has begun. */
export interface Begun {
  cookie: string
  state: string
  nonce: string
  /** Where the browser went. */
  location: URL
}

const cookieIn = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

/** Begins a sign-in, as a click on the provider's button does. */
export async function begin(place: Place, { slug = 'home', query = '' } = {}): Promise<Begun> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.1`
  const answer = await call(place, `/api/oidc/${slug}/start${query}`, { headers: { 'X-Forwarded-For': address } })
  return begunAt(answer, new URL(answer.headers.get('location') ?? '', place.url))
}

/** The sign-in that an answer of `POST /api/oidc/{slug}/link` has begun. */
export const begunBy = (answer: Answer): Begun => begunAt(answer, new URL(json(answer).location))

function begunAt(answer: Answer, location: URL): Begun {
  const [state, nonce] = ['state', 'nonce'].map(name => location.searchParams.get(name) ?? '')
  return { cookie: cookieIn(answer), state: state ?? '', nonce: nonce ?? '', location }
}

/** Comes back from a provider. @returns the address of the page that follows */
export async function comeBack(
  place: Place,
  { cookie, state }: Pick<Begun, 'cookie' | 'state'>,
  provider: Pick<FalseProvider, 'issuer'>,
  { slug = 'home', query = {} }: { slug?: string; query?: Record<string, string> } = {},
): Promise<URL> {
  const params = new URLSearchParams({ code: 'a-code-of-the-provider', state, iss: provider.issuer, ...query })
  const answer = await call(place, `/api/oidc/${slug}/callback?${params}`, { headers: { Cookie: cookie } })
  if (answer.status !== 302) throw new Error(`The callback answered ${answer.status} ${answer.text}`)
  return new URL(answer.headers.get('location') ?? '', place.url)
}

/** Exchanges a handover code. */
export const handOver = (place: Place, code: string, cookie: string): Promise<Answer> =>
  call(place, '/api/login/handover', {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  })

export const codeIn = ({ hash }: URL): string => new URLSearchParams(hash.slice(1)).get('handover') ?? ''
export const problemIn = ({ searchParams }: URL): string | null => searchParams.get('problem')

/** A complete sign-in at a false provider. @returns the page that follows, and the cookie */
export async function visit(
  place: Place,
  provider: FalseProvider,
  slug = 'home',
): Promise<{ page: URL; cookie: string }> {
  const begun = await begin(place, { slug })
  provider.nonce = begun.nonce
  return { page: await comeBack(place, begun, provider, { slug }), cookie: begun.cookie }
}

/** The same, with the session. @throws Error with the problem */
export async function sessionFrom(place: Place, provider: FalseProvider, slug = 'home'): Promise<string> {
  const { page, cookie } = await visit(place, provider, slug)
  const answer = await handOver(place, codeIn(page), cookie)
  if (answer.status !== 200) throw new Error(`No session: ${answer.status}, ${problemIn(page)}`)
  return answer.text
}

/** Names of all accounts. */
export async function accounts(place: Place, admin: string): Promise<string[]> {
  return json(await call(place, '/api/users', { token: admin })).map((user: { username: string }) => user.username)
}
