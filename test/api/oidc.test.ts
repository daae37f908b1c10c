import { expect, test } from 'vitest'
import { call, signIn } from './client.ts'
import { openInstance } from './instance.ts'

const server = await openInstance()

test('a server without providers has none to sign in with', async () => {
  for (const path of ['start', 'callback?state=x&code=y'])
    expect((await call(server, `/api/oidc/home/${path}`)).status).toBe(404)
  const link = (token?: string) =>
    call(server, '/api/oidc/home/link', { method: 'POST', body: '{}', ...(token !== undefined && { token }) })
  expect((await link(await signIn(server))).status).toBe(404)
  expect((await link()).status).toBe(401)
  expect((await call(server, '/api/oidc/home/backchannel-logout', { method: 'POST', body: 'x' })).status).toBe(404)
})

test('a code that no sign-in has made gives no session', async () => {
  const statusOf = async (body: string) => (await call(server, '/api/login/handover', { method: 'POST', body })).status
  expect(await statusOf('{"code":"x"}')).toBe(403)
  for (const body of ['', '{}', '{"code":7}', `{"code":"${'x'.repeat(200)}"}`]) expect(await statusOf(body)).toBe(400)
})
