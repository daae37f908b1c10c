import { expect, test } from 'vitest'
import { manager, newcomer } from './accounts.ts'
import { call, signIn } from './client.ts'
import { openInstance } from './instance.ts'

const server = await openInstance()

test('a server without providers has none to sign in with', async () => {
  for (const path of ['start', 'callback?state=x&code=y'])
    expect((await call(server, `/api/oidc/home/${path}`)).status).toBe(404)
  const leave = (to: string, token?: string) =>
    call(server, `/api/oidc/home/${to}`, { method: 'POST', body: '{}', ...(token !== undefined && { token }) })
  for (const to of ['link', 'confirm']) {
    expect((await leave(to, await signIn(server))).status).toBe(404)
    expect((await leave(to)).status).toBe(401)
  }
  expect((await call(server, '/api/oidc/home/backchannel-logout', { method: 'POST', body: 'x' })).status).toBe(404)
})

test('a code that no sign-in has made gives no session', async () => {
  const statusOf = async (body: string) => (await call(server, '/api/login/handover', { method: 'POST', body })).status
  expect(await statusOf('{"code":"x"}')).toBe(403)
  for (const body of ['', '{}', '{"code":7}', `{"code":"${'x'.repeat(200)}"}`]) expect(await statusOf(body)).toBe(400)
})

test('administrators alone try providers and directories', async () => {
  const admin = await manager(server)
  const { token } = await newcomer(server, admin)
  const own = { current_password: server.adminPassword }
  const statuses = async (path: string, method: string, body?: object) => {
    const ask = async (session?: string) =>
      (
        await call(server, path, {
          method,
          ...(session !== undefined && { token: session }),
          ...(body && { body: JSON.stringify(body) }),
        })
      ).status
    return [await ask(), await ask(token), await ask(admin.token)]
  }
  expect(await statuses('/api/oidc/home/trial', 'POST', own)).toEqual([401, 403, 404])
  expect(await statuses('/api/directories/corp/trial', 'POST', { username: 'ann', password: 'x', ...own })).toEqual([
    401, 403, 404,
  ])
  expect(await statuses('/api/providers/trials/x', 'GET')).toEqual([401, 403, 404])
})

test('administrators alone see providers, and compare accounts with directories', async () => {
  const admin = await manager(server)
  const { token } = await newcomer(server, admin)
  const list = async (more: object) => (await call(server, '/api/providers', more)).status
  const compare = async (more: object) =>
    (await call(server, '/api/directories/corp/sync', { method: 'POST', ...more })).status
  expect([await list({}), await list({ token }), await list({ token: admin.token })]).toEqual([401, 403, 200])
  expect([await compare({}), await compare({ token }), await compare({ token: admin.token })]).toEqual([401, 403, 404])
})
