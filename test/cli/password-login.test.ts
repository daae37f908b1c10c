import { expect, test } from 'vitest'
import { login } from '../api/client.ts'
import { providerAt, withProviders } from '../oidc/sign-in.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

test('OIDC-06 config set closes sign-in with a password and opens it again while the server runs', async () => {
  const server = await serveOnce(withProviders([providerAt('https://auth.example.org')]))
  const shell = await openConsole(server.home)
  const status = async () => (await login(server, 'admin', server.adminPassword)).status
  await shell.ok('config', 'set', '--auth.passwordLogin', 'nobody', '-d', server.database)
  expect(await status()).toBe(403)
  await shell.ok('config', 'set', '--auth.passwordLogin', 'admins', '-d', server.database)
  expect(await status()).toBe(200)
  await shell.ok('config', 'set', '--auth.passwordLogin', 'nobody', '-d', server.database)
  await shell.ok('config', 'set', '--access.passwordLogin', 'everybody', '-d', server.database)
  expect(await status()).toBe(200)
  expect(await shell.refused('config', 'set', '--auth.passwordLogin', 'some', '-d', server.database)).toContain(
    'passwordLogin',
  )
})
