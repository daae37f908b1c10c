import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { call } from '../api/client.ts'
import { makeHome, type OwnServer, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { begin, codeIn, comeBack, handOver, providerAt, sessionFrom, withProviders } from '../oidc/sign-in.ts'

const provider = await startFalseProvider()
afterEach(() => provider.reset())
const options = (more = {}) => withProviders([providerAt(provider.issuer)], more)

/** Notes the ID tokens that the provider signs from now on. */
function watchTokens(): string[] {
  const signed: string[] = []
  provider.signer = async payload => {
    const token = await provider.sign(payload)
    signed.push(token)
    return token
  }
  return signed
}

/** The bytes of an SQLite database, also of pages that were written last or are free. */
const bytesOf = (database: string) =>
  ['', '-wal'].map(end => (existsSync(database + end) ? readFileSync(database + end, 'latin1') : '')).join('')

/** Where a session is signed out at the provider. */
async function signedOutAt(server: OwnServer, token: string): Promise<URL> {
  const answer = await call(server, '/api/logout', { method: 'POST', token })
  return new URL(answer.headers.get('x-logout-location') ?? '')
}

test('SEAL-01 the file of the database has no ID token, nonce or verifier in plain, at no step of a sign-in', async () => {
  const home = await makeHome()
  const server = await serve(options({ home, database: join(home, 'sealed.db') }))
  const signed = watchTokens()
  const seen: string[] = []
  const look = () => seen.push(bytesOf(server.database))
  const begun = await begin(server)
  look()
  provider.nonce = begun.nonce
  const page = await comeBack(server, begun, provider)
  look()
  const token = (await handOver(server, codeIn(page), begun.cookie)).text
  look()
  const [idToken = ''] = signed
  expect((await signedOutAt(server, token)).searchParams.get('id_token_hint')).toBe(idToken)
  look()
  const verifier = new URLSearchParams(provider.asked[0]).get('code_verifier') ?? ''
  const [, payload = '', signature = ''] = idToken.split('.')
  expect([verifier, payload, signature].every(text => text.length > 40)).toBe(true)
  expect(seen.map(bytes => bytes.includes('session-1'))).toEqual([false, false, true, true])
  for (const bytes of seen)
    for (const secret of [verifier, begun.nonce, begun.state, payload, signature]) expect(bytes).not.toContain(secret)
})

test('SEAL-01 a session of before the upgrade, whose ID token is stored as it is, is signed out with it', async () => {
  const server = await serve(options())
  const signed = watchTokens()
  const token = await sessionFrom(server, provider)
  const { db } = await openDb(server.database)
  onTestFinished(() => db.destroy())
  const rows = db.updateTable('sessions').where('provider', '=', 'home')
  await rows.set({ id_token: signed[0] ?? '' }).execute()
  expect((await signedOutAt(server, token)).searchParams.get('id_token_hint')).toBe(signed[0])
})

test('MFA-09 with another key a sign-in under way answers 503, and a session is signed out without its ID token', async () => {
  const home = await makeHome()
  const database = join(home, 'sealed.db')
  const start = () =>
    startServer(options({ home, database, env: { FILIGREE_SECRET_KEY: randomBytes(32).toString('base64') } }))
  let server = await start()
  onTestFinished(() => server.stop())
  const token = await sessionFrom(server, provider)
  const begun = await begin(server)
  await server.end()
  server = await start()
  await expect(comeBack(server, begun, provider)).rejects.toThrow('503')
  expect(await server.log()).toContain('a secret was sealed with another secretKey')
  const location = await signedOutAt(server, token)
  expect(location.pathname).toBe('/end')
  expect(location.searchParams.has('id_token_hint')).toBe(false)
  expect(location.searchParams.get('client_id')).not.toBeNull()
})
