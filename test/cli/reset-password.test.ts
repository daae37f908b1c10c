import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { call, json, login } from '../api/client.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

test('MFA-12 users reset-password prints a link that sets a password once, without a mail server and while the server runs', async () => {
  const server = await serveOnce()
  const admin = await manager(server)
  const shell = await openConsole(server.home)
  const { token, name } = await newcomer(server, admin)
  const printed = await shell.ok('users', 'reset-password', name, '-d', server.database)
  const [, link = ''] = /^\/login\?link#([\w-]{43})\n?$/.exec(printed) ?? []
  const look = json(await send(server, 'POST', '/api/mail-links/look', undefined, { link }))
  expect(look).toMatchObject({ purpose: 'reset', username: name })
  const use = () => send(server, 'POST', '/api/mail-links/use', undefined, { link, password: OTHER_PASSWORD })
  expect((await Promise.all([use(), use(), use()])).map(({ status }) => status).sort()).toEqual([204, 404, 404])
  expect((await call(server, '/api/resources/', { token })).status).toBe(401)
  expect([
    (await login(server, name, GOOD_PASSWORD)).status,
    (await login(server, name, OTHER_PASSWORD)).status,
  ]).toEqual([403, 200])
  const { text: log } = await call(server, '/api/audit/export', { token: admin.token })
  expect(log).toContain(`users reset-password ${name}`)
  expect(log).not.toContain(link)
})

test('users reset-password refuses a user who may not change the password, and one who does not exist', async () => {
  const server = await serveOnce()
  const admin = await manager(server)
  const shell = await openConsole(server.home)
  const { name } = await newcomer(server, admin, { lockPassword: true })
  const refused = (word: string) => shell.refused('users', 'reset-password', word, '-d', server.database)
  expect(await refused(name)).toContain('no password that the user may change')
  expect(await refused('no-such-user')).toContain('no-such-user')
})
