import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, claimsOf, signIn } from '../api/client.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { CLIENT } from '../oidc/client.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { problemIn, providerAt, sessionFrom, visit } from '../oidc/sign-in.ts'
import { shareProcess } from './console.ts'

const openConsole = shareProcess()

test('providers ls, test, identities, link and unlink show and connect without a secret', async () => {
  const provider = await startFalseProvider()
  const home = await makeHome()
  const file = join(home, 'a.json')
  const gone = providerAt('http://127.0.0.1:1', { slug: 'gone' })
  await writeFile(
    file,
    JSON.stringify({ publicURL: 'http://127.0.0.1:1234', providers: [providerAt(provider.issuer), gone] }),
  )
  const server = await serve({ home, args: ['--config', file] })
  const found = await openConsole(server.home)
  const common = ['-d', server.database, '-c', file]
  const ok = (...args: string[]) => found.ok('providers', ...args, ...common)
  const refused = (...args: string[]) => found.refused('providers', ...args, ...common)

  const shown = [await ok('ls'), await ok('test', 'home')]
  expect(shown[0]).toContain(provider.issuer)
  expect(shown[1]).toMatch(/^Keys +1$/m)
  expect(shown[1]).toContain('http://127.0.0.1:1234/api/oidc/home/callback')
  expect(shown.join()).not.toContain(CLIENT.clientSecret)
  expect(await refused('test', 'gone')).toContain('does not answer')
  expect(await refused('test', 'none')).toBe("The configuration names no provider 'none'.")

  provider.userInfo.preferred_username = 'admin'
  expect(problemIn((await visit(server, provider)).page)).toBe('name_taken')
  expect(await server.log()).toContain('ann-1')
  await ok('link', 'home', 'ann-1', 'admin')
  const session = await sessionFrom(server, provider)
  expect(claimsOf(session).user.username).toBe('admin')
  expect(await ok('identities')).toMatch(/ann-1 +admin +admin +2\d\d\d-/)
  expect(await refused('link', 'home', 'ann-1', 'admin')).toContain('unlink it first')
  expect(await refused('link', 'home', 'ann-2', 'admin')).toContain('ann-1; unlink that first')
  await ok('unlink', 'home', 'ann-1')
  expect((await call(server, '/api/sessions', { token: session })).status).toBe(401)
  expect(await refused('unlink', 'home', 'ann-1')).toBe('No account is connected with ann-1.')
  expect(problemIn((await visit(server, provider)).page)).toBe('name_taken')
  expect(await signIn(server)).toContain('.')
})
