import { describe, expect, test } from 'vitest'
import { call, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { CLIENT } from '../oidc/client.ts'
import { now, startFalseProvider } from '../oidc/false-provider.ts'
import { accounts, begin, codeIn, comeBack, handOver, problemIn, providerAt, withProviders } from '../oidc/sign-in.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

describe.runIf(hasPostgres)('servers on PostgreSQL with a provider', async () => {
  const postgres = await sharedPostgres()
  const database = await postgres.make()
  const provider = await startFalseProvider()
  const providers = [providerAt(provider.issuer)]
  const [one, other] = await (async () => {
    const first = await serve(withProviders(providers, { database }))
    return [first, await serve(withProviders(providers, { database, root: first.root }))]
  })()

  test('OIDC-01 take one callback once, also both at the same time, and either hands it over', async () => {
    const begun = await begin(one)
    provider.nonce = begun.nonce
    const pages = await Promise.all([one, other, one, other].map(place => comeBack(place, begun, provider)))
    expect(pages.map(problemIn).filter(problem => problem === 'expired')).toHaveLength(3)
    const code = pages.map(codeIn).find(found => found !== '') ?? ''
    const answers = await Promise.all([one, other].map(place => handOver(place, code, begun.cookie)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await accounts(one, await signIn(one))).sort()).toEqual(['admin', 'ann'])
  })

  test('OIDC-05 refuse a session that the provider has ended at one of them', async () => {
    const begun = await begin(one)
    provider.nonce = begun.nonce
    const token = (await handOver(other, codeIn(await comeBack(other, begun, provider)), begun.cookie)).text
    const statusAt = async (place: typeof one) => (await call(place, '/api/sessions', { token })).status
    expect([await statusAt(one), await statusAt(other)]).toEqual([200, 200])
    const claims = {
      iss: provider.issuer,
      aud: CLIENT.clientId,
      iat: now(),
      exp: now() + 60,
      jti: 'one',
      sid: 'session-1',
    }
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const body = `logout_token=${await provider.sign({ ...claims, events })}`
    const send = (place: typeof one) => call(place, '/api/oidc/home/backchannel-logout', { method: 'POST', body })
    expect((await send(one)).status).toBe(200)
    expect([await statusAt(one), await statusAt(other)]).toEqual([401, 401])
    expect((await send(other)).status).toBe(400)
  })
})
