import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { freePort } from '../proxies/free-port.ts'
import { CLIENT } from './client.ts'

const TABLES = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'
const MODULES = '/usr/lib/glewlwyd'
export const hasGlewlwyd = existsSync(MODULES) && existsSync(TABLES)
/** Milliseconds for the start. */
const PATIENCE = 10_000

/** Glewlwyd, an OpenID provider in C, in a folder of its own. */
export interface Glewlwyd {
  issuer: string
  /** Names a server as the client, by all its addresses. */
  register(...addresses: { url: string }[]): Promise<void>
  addUser(username: string, password: string): Promise<void>
  /** What a browser does with the address to which a sign-in leads. @returns where it is sent back */
  signIn(location: URL, username: string, password: string): Promise<URL>
}

/** Starts one, which ends with the tests of the file. */
export async function startGlewlwyd(): Promise<Glewlwyd> {
  const home = mkdtempSync(join(tmpdir(), 'filigree-glewlwyd-'))
  const port = await freePort()
  const at = `http://localhost:${port}`
  const db = new DatabaseSync(join(home, 'db'))
  db.exec(readFileSync(TABLES, 'utf8'))
  db.close()
  writeFileSync(join(home, 'config'), configuration(home, port))
  const child = spawn('glewlwyd', [`--config-file=${join(home, 'config')}`], { stdio: 'ignore' })
  afterAll(async () => {
    const ended = once(child, 'close')
    child.kill()
    await ended
    rmSync(home, { recursive: true, force: true })
  })
  await untilOpen(at)
  const ask = async (method: string, path: string, body: object | undefined, cookie: string) => {
    const headers = { 'Content-Type': 'application/json', Cookie: cookie }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(at + path, { method, headers, redirect: 'manual', ...sent })
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const enter = async (username: string, password: string) => {
    const answer = await ask('POST', '/api/auth/', { username, password }, '')
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  // The account that its tables come with.
  const root = await enter('admin', 'password')
  await ask('POST', '/api/mod/plugin/', plugin(`${at}/api/oidc`), root)
  const scope = {
    name: 'profile',
    display_name: 'profile',
    description: 'profile',
    password_required: true,
    scheme: {},
  }
  await ask('POST', '/api/scope/', scope, root)
  return {
    issuer: `${at}/api/oidc`,
    register: async (...addresses) =>
      void (await ask('POST', '/api/client/', clientOf(addresses.map(({ url }) => url)), root)),
    async addUser(username, password) {
      const user = { username, name: username, password, scope: ['openid', 'profile', 'g_profile'], enabled: true }
      await ask('POST', '/api/user/', user, root)
    },
    async signIn(location, username, password) {
      const cookie = await enter(username, password)
      await ask('PUT', `/api/auth/grant/${CLIENT.clientId}`, { scope: 'openid profile' }, cookie)
      const path = `${location.pathname}${location.search}&g_continue`
      return new URL((await ask('GET', path, undefined, cookie)).headers.get('location') ?? '')
    },
  }
}

const clientOf = (urls: readonly string[]) => ({
  client_id: CLIENT.clientId,
  name: 'Filigree',
  confidential: true,
  password: CLIENT.clientSecret,
  redirect_uri: urls.map(url => `${url}/api/oidc/home/callback`),
  authorization_type: ['code'],
  // It does not decode what a header has (RFC 6749, 2.3.1).
  token_endpoint_auth_method: ['client_secret_post'],
  scope: ['openid'],
  enabled: true,
  post_logout_redirect_uris: `${urls[0]}/login?loggedout`,
  backchannel_logout_uri: `${urls[0]}/api/oidc/home/backchannel-logout`,
  backchannel_logout_session_required: '1',
})

/** Its module for OpenID, with a key of its own. */
function plugin(iss: string) {
  const making = ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
  const key = execFileSync('openssl', making, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const cert = execFileSync('openssl', ['pkey', '-pubout'], { input: key, encoding: 'utf8' })
  const off = ['token', 'none', 'password', 'client', 'device'].map(way => [`auth-type-${way}-enabled`, false])
  const username = { name: 'preferred_username', 'user-property': 'username', type: 'string' }
  const parameters = {
    ...{ iss, 'jwt-type': 'rsa', 'jwt-key-size': '256', key, cert, 'subject-type': 'public' },
    ...{ 'access-token-duration': 3600, 'refresh-token-duration': 3600, 'code-duration': 600 },
    ...Object.fromEntries(off),
    ...{ 'auth-type-code-enabled': true, 'auth-type-id-token-enabled': true, 'auth-type-refresh-enabled': true },
    ...{ 'allow-non-oidc': false, 'refresh-token-rolling': false },
    ...{ 'pkce-allowed': true, 'pkce-method-plain-allowed': false, 'pkce-required': true },
    ...{ 'session-management-allowed': true, 'back-channel-logout-allowed': true },
    ...{ 'front-channel-logout-allowed': false, 'oauth-iss-parameter': true },
    ...{ 'session-cookie-name': 'SESSION', 'session-cookie-expiration': 3600 },
    claims: [{ ...username, mandatory: true, 'on-demand': false, scope: [] }],
  }
  return { module: 'oidc', name: 'oidc', display_name: 'OpenID', parameters }
}

const configuration = (home: string, port: number): string => `
port=${port}
bind_address="127.0.0.1"
external_url="http://localhost:${port}"
login_url="login.html"
api_prefix="api"
log_mode="file"
log_level="WARNING"
log_file="${home}/log"
cookie_domain="localhost"
cookie_secure=0
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${MODULES}/user"
client_module_path="${MODULES}/client"
user_auth_scheme_module_path="${MODULES}/scheme"
plugin_module_path="${MODULES}/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3" path = "${home}/db" };
`

async function untilOpen(at: string): Promise<void> {
  const late = Date.now() + PATIENCE
  for (;;) {
    const isOpen = await fetch(`${at}/config`).then(
      () => true,
      () => false,
    )
    if (isOpen) return
    if (Date.now() > late) throw new Error('glewlwyd did not start')
    await wait(50)
  }
}
