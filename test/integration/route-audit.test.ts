import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { createContext } from '../../server/context.ts'
import { buildApp } from '../../server/http/app.ts'
import { openLog } from '../../server/http/log.ts'
import { listRoutes } from '../../server/http/routes.ts'
import { ACCESS, declaresAuditAction, type Route } from '../../server/routing/route.ts'
import { signIn } from '../api/client.ts'
import { ADMIN_PASSWORD, makeHome } from '../api/harness.ts'
import { rawRequest } from '../api/raw.ts'

/** Every route that may be called without a session. A new one needs a reason and a line here. */
const PUBLIC: Readonly<Record<string, string>> = {
  '/health': 'monitoring has no account',
  '/health/ready': 'a balancer has no account',
  '/api/openapi.json': 'the description of the API is in the source',
  '/docs/api': 'the same, for people',
  '/api/login': 'this is how one gets a session',
  '/api/signup': 'sign-up is for clients without an account',
  '/api/public/share/*': 'a share link permits listing',
  '/api/public/dl/*': 'a share link permits downloads',
  '/api/public/paper/*': 'and see the pages of a document that may be downloaded',
  '/api/public/preview/thumb/*': 'and see what may be downloaded as an image',
  '/api/public/preview/512/*': 'the same, for a tile',
  '/api/public/preview/1024/*': 'the same, for a tile of a dense screen',
  '/api/public/preview/big/*': 'the same, large',
  '/api/public/picture-sizes/*': 'and how large the images are',
  '/api/public/archives/list/*': 'and look into the archives among it',
  '/api/public/archives/member/*': 'and take single files out of them',
  '/api/public/subtitle/*': 'and read the subtitles of films among it',
  '/api/public/tus/*': 'a file request permits to send files, and nothing else; a link to edit, what it says',
  '/api/public/resources/*': 'a link to edit permits what it says, in its folder',
  '/api/oidc/:slug/start': 'so begins a sign-in with a provider',
  '/api/oidc/:slug/callback': 'here it comes back, with a code of the provider',
  '/api/login/handover': 'and here the page gets the session',
  '/api/login/factor': 'there is no session before the second step of a sign-in',
  '/api/login/factor/passkey': 'nor before the passkey of a second step',
  '/api/login/passkey/options': 'nor before a passkey',
  '/api/login/passkey': 'here a passkey gives the session',
  '/api/login/enrol/totp': 'there is no session before a required second factor is set up',
  '/api/login/enrol/totp/confirm': 'and here its first code gives the session',
  '/api/login/enrol/passkey/options': 'there is no session before a required passkey is made',
  '/api/login/enrol/passkey': 'and here it gives the session',
  '/api/oidc/:slug/backchannel-logout': 'a provider signs what it sends',
  '/api/password-reset': 'who has forgotten a password has no session',
  '/api/mail-links/look': 'the secret of a link that was sent by mail permits it',
  '/api/mail-links/use': 'the same',
  '/api/mail-off': 'a ticket in a mail permits its mail service to switch such mails off',
  '/api/logout': 'ending a session that is gone already must not fail',
}

const home = await makeHome()
const flags = [
  '--root',
  join(home, 'srv'),
  '--database',
  join(home, 'f.db'),
  '--port',
  '0',
  '--disableExec=false',
  '--execSandbox=none',
]
const config = readConfig([...flags, '--log', join(home, 'log')], { FILIGREE_ADMIN_PASSWORD: ADMIN_PASSWORD })
const context = await createContext(config)
await context.makeFirstAdmin()
const app = await buildApp(context, openLog(config))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(async () => {
  await app.close()
  await context.close()
  await rm(home, { recursive: true, force: true })
})

const { hostname: host, port } = new URL(url)
const place = { host, port: Number(port) }
const routes = listRoutes(context)
const methodsOf = ({ method }: Route): readonly string[] => (typeof method === 'string' ? [method] : method)
/** A call that would reach the handler if the gate did not refuse it. */
const exampleOf = ({ path }: Route): string => path.replace(/\*$/, 'a/b.txt').replace(/:\w+/g, '1')
const calls = routes.flatMap(route => methodsOf(route).map(method => ({ method, route, target: exampleOf(route) })))
const guarded = calls.filter(({ route }) => !(route.path in PUBLIC))

const ended = await signIn({ url, adminPassword: ADMIN_PASSWORD })
await rawRequest(place, { method: 'POST', target: '/api/logout', headers: { 'X-Auth': ended } })

describe('every route', () => {
  test.each(routes.map(route => [`${methodsOf(route)} ${route.path}`, route] as const))(
    '%s declares who may call it',
    (_name, route) => {
      expect(ACCESS).toContain(route.access)
    },
  )

  test('declares its operation in the audit log if it may change anything', () => {
    expect(routes.filter(route => !declaresAuditAction(route)).map(({ path }) => path)).toEqual([])
  })

  test('is public only if it is listed as such', () => {
    const open = new Set(routes.filter(route => route.access === 'public').map(route => route.path))
    expect([...open].sort()).toEqual(Object.keys(PUBLIC).sort())
  })

  test('is listed once for each of its methods', () => {
    const names = calls.map(({ method, route }) => `${method} ${route.path}`)
    expect(names).toEqual([...new Set(names)])
  })
})

describe('a client without a session', () => {
  const CREDENTIALS: [string, Record<string, string>][] = [
    ['nothing', {}],
    ['an empty token', { 'X-Auth': '' }],
    ['garbage', { 'X-Auth': 'a.b.c' }],
    ['the token of an ended session', { 'X-Auth': ended }],
    ['the cookie of an ended session', { Cookie: `auth=${ended}` }],
  ]

  for (const [what, headers] of CREDENTIALS) {
    test.each(guarded.map(({ method, target }) => [method, target]))(
      `with ${what} gets 401 from %s %s`,
      async (method = '', target = '') => {
        const answer = await rawRequest(place, { method, target, headers })
        expect(answer.status).toBe(401)
        if (method !== 'HEAD') expect(answer.body.toString()).toBe('401 Unauthorized\n')
      },
    )
  }

  test.each(guarded.map(({ method, target }) => [method, target]))(
    'with a token in the address gets 401 from %s %s when the session has ended',
    async (method = '', target = '') => {
      expect((await rawRequest(place, { method, target: `${target}?auth=${ended}` })).status).toBe(401)
    },
  )
})

describe('a method that a route does not support', () => {
  test('is answered with 405 and the supported ones', async () => {
    const answer = await rawRequest(place, { method: 'DELETE', target: '/api/settings' })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, PUT')
    expect(answer.body.toString()).toBe('405 Method Not Allowed\n')
  })

  test('is not confused with a path that does not exist', async () => {
    const answer = await rawRequest(place, { method: 'DELETE', target: '/api/nothing' })
    expect(answer.status).toBe(404)
    expect(answer.headers.allow).toBeUndefined()
  })
})
