import { newUser, send } from '../api/accounts.ts'
import { Authenticator } from '../api/authenticator.ts'
import { json } from '../api/client.ts'
import { CLIENT } from '../oidc/client.ts'
import { type FalseProvider, now } from '../oidc/false-provider.ts'
import { begunBy, comeBack } from '../oidc/sign-in.ts'
import { codeOf, own, type Place, read, type Step, token } from './example-place.ts'

const PASSWORD = 'copper-anvil-drifts-9'
const DUTY = 'Duty of '
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** For all passkeys of the examples, at the public address of the server. */
const key = new Authenticator('https://files.example.org')
const created: Step = ({ body }) => {
  const { ticket, options } = JSON.parse(body)
  return { A_TICKET: ticket, A_RESPONSE: JSON.stringify(key.create(options)) }
}

const ticketFor = async ({ wire }: Place, username: string, password: string): Promise<string> => {
  const answer = await send(wire, 'POST', '/api/login', '', { username, password })
  return answer.headers.get('x-login-ticket') ?? ''
}

/** A new user of a group whose members need a second factor. @returns the ticket of their sign-in */
async function dutifulUser(place: Place, username: string): Promise<string> {
  const ask = (method: string, path: string, body?: unknown) => send(place.wire, method, path, token(place), body)
  const data = newUser(username, { password: PASSWORD })
  const made = await ask('POST', '/api/users', { what: 'user', which: [], data, ...own(place) })
  const { id } = json(await ask('POST', '/api/groups', { name: `${DUTY}${username}`, perm: {} }))
  await ask('PUT', `/api/groups/${id}/members/${made.headers.get('location')?.split('/').pop()}`)
  const secondFactor = { require: 'groups', groups: [id], from: null, graceDays: 0 }
  await ask('PUT', '/api/settings/access', { secondFactor })
  return ticketFor(place, username, PASSWORD)
}

/** Follows the address of a provider, as a browser does. @returns the page that comes next */
async function follow(place: Place, path: string, provider: FalseProvider, sub: string): Promise<URL> {
  const begun = begunBy(await send(place.wire, 'POST', path, token(place), own(place)))
  Object.assign(provider, { nonce: begun.nonce, claims: { sub }, userInfo: { sub, preferred_username: 'zoe' } })
  return comeBack(place.wire, begun, provider)
}

/** The administrator's account, connected with a provider. */
const connected =
  (provider: FalseProvider): Step =>
  async place => {
    await follow(place, '/api/oidc/home/link', provider, 'admin-1')
    return {}
  }

/** What must exist before an example of a sign-in works. @param provider at `home` */
export const beforeSignIns = (provider: FalseProvider): Readonly<Record<string, Step>> => ({
  'POST /api/oidc/{slug}/backchannel-logout': async () => {
    const claims = { iss: provider.issuer, aud: CLIENT.clientId, sub: 'ann-1', sid: 'session-1' }
    const times = { iat: now(), exp: now() + 120, jti: 'an-example' }
    return { A_LOGOUT_TOKEN: await provider.sign({ ...claims, ...times, events: { [EVENT]: {} } }) }
  },
  'POST /api/oidc/{slug}/confirm': connected(provider),
  'DELETE /api/account/identities/{slug}': connected(provider),
  'GET /api/providers/trials/{id}': async place => {
    const page = await follow(place, '/api/oidc/home/trial', provider, 'zoe-1')
    return { TRIAL_ID: page.searchParams.get('trial') ?? '' }
  },
  'POST /api/login/factor/passkey': async place => ({
    A_TICKET: await ticketFor(place, 'admin', place.wire.adminPassword),
  }),
  'POST /api/login/enrol/totp': async place => ({ A_TICKET: await dutifulUser(place, 'dora') }),
  'POST /api/login/enrol/passkey/options': async place => ({ A_TICKET: await dutifulUser(place, 'dirk') }),
})

/** What later examples need of the response of a sign-in. */
export const afterSignIns = (provider: FalseProvider): Readonly<Record<string, Step>> => ({
  'GET /api/oidc/{slug}/start': ({ body }) => {
    const { searchParams } = new URL(body)
    provider.nonce = searchParams.get('nonce') ?? ''
    provider.userInfo = { sub: 'ann-1', preferred_username: 'maud' }
    const THE_ISSUER = encodeURIComponent(provider.issuer)
    return { A_CODE: 'a-code-of-the-provider', THE_STATE: searchParams.get('state') ?? '', THE_ISSUER }
  },
  'GET /api/oidc/{slug}/callback': ({ body }) => ({
    A_HANDOVER: new URLSearchParams(new URL(body).hash.slice(1)).get('handover') ?? '',
  }),
  'POST /api/account/passkeys/options': created,
  'POST /api/account/passkeys': ({ body }) => ({ PASSKEY_ID: JSON.parse(body).passkey.id }),
  'POST /api/login/passkey/options': ({ body }) => {
    const { ticket, options } = JSON.parse(body)
    return { A_TICKET: ticket, A_RESPONSE: JSON.stringify(key.get(options)) }
  },
  'POST /api/login/enrol/totp': ({ body }) => {
    const { ticket, secret } = JSON.parse(body)
    return { A_TICKET: ticket, A_CODE: codeOf(secret) }
  },
  'POST /api/login/enrol/passkey/options': created,
  'POST /api/login/enrol/passkey': async place => {
    const secondFactor = { require: 'none', groups: [], from: null, graceDays: 0 }
    await send(place.wire, 'PUT', '/api/settings/access', token(place), { secondFactor })
    const groups = await read(place, '/api/groups')
    for (const { id, name } of groups)
      if (name.startsWith(DUTY)) await send(place.wire, 'DELETE', `/api/groups/${id}`, token(place))
    return {}
  },
})
