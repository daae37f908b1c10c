import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
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

test('users relink gives an account the new subject of its user, ends its sessions there, and takes no subject of another account', async () => {
  const provider = await startFalseProvider()
  const home = await makeHome()
  const file = join(home, 'a.json')
  await writeFile(file, JSON.stringify({ providers: [providerAt(provider.issuer)] }))
  const server = await serve({ home, args: ['--config', file] })
  const found = await openConsole(server.home)
  const common = ['-d', server.database, '-c', file]
  const relink = ['users', 'relink'] as const
  const arrive = async (sub: string, preferred_username: string) => {
    provider.claims = { sub }
    provider.userInfo = { sub, preferred_username }
    return sessionFrom(server, provider)
  }

  const [ann, ben] = [await arrive('ann-1', 'ann'), await arrive('ben-1', 'ben')]
  expect(await found.refused(...relink, 'ann', 'home', 'ben-1', ...common)).toContain('unlink it first')
  expect(await found.refused(...relink, 'admin', 'home', 'ann-2', ...common)).toContain('not connected')
  await found.ok(...relink, 'ann', 'home', 'ann-2', ...common)
  expect((await call(server, '/api/sessions', { token: ann })).status).toBe(401)
  expect((await call(server, '/api/sessions', { token: ben })).status).toBe(200)
  expect(claimsOf(await arrive('ann-2', 'ann')).user.id).toBe(claimsOf(ann).user.id)
  provider.claims = { sub: 'ann-1' }
  provider.userInfo = { sub: 'ann-1', preferred_username: 'ann' }
  expect(problemIn((await visit(server, provider)).page)).toBe('name_taken')

  await found.ok('providers', 'link', 'home', 'old-1', 'admin', ...common)
  const { db } = await openDb(server.database)
  onTestFinished(() => db.destroy())
  await db.updateTable('identities').set({ issuer: 'https://old.example' }).where('subject', '=', 'old-1').execute()
  await found.ok(...relink, 'admin', 'home', 'new-1', '--from', 'https://old.example/', ...common)
  expect(claimsOf(await arrive('new-1', 'admin')).user.username).toBe('admin')
})

test('providers relink lets all accounts take the new subjects of their users, who are found by the name at the provider or a verified address', async () => {
  const provider = await startFalseProvider()
  const home = await makeHome()
  const file = join(home, 'a.json')
  await writeFile(file, JSON.stringify({ providers: [providerAt(provider.issuer)] }))
  const server = await serve({ home, args: ['--config', file] })
  const found = await openConsole(server.home)
  const relink = ['providers', 'relink', 'home', '-d', server.database, '-c', file]
  const say = (sub: string, claims: object) => {
    provider.claims = { sub }
    provider.userInfo = { sub, ...claims }
  }
  const arrive = async (sub: string, claims: object) => {
    say(sub, claims)
    return claimsOf(await sessionFrom(server, provider)).user.id
  }
  const problem = async (sub: string, claims: object) => {
    say(sub, claims)
    return problemIn((await visit(server, provider)).page)
  }
  const [ann, ben] = ['ann', 'ben'].map(preferred_username => ({ preferred_username }))
  const ids = [await arrive('ann-1', ann ?? {}), await arrive('ben-1', ben ?? {})]

  expect(await found.refused(...relink)).toContain('--by username')
  expect(await found.ok(...relink, '--by', 'username', '--dryRun')).toMatch(/ann +ann/)
  expect(await arrive('ann-1', ann ?? {})).toBe(ids[0])
  expect(await found.ok(...relink, '--by', 'email')).toMatch(/ann +left as it is/)
  expect(await arrive('ann-1', ann ?? {})).toBe(ids[0])

  await found.ok(...relink, '--by', 'username')
  expect(await arrive('ann-2', ann ?? {})).toBe(ids[0])
  expect(await arrive('ann-2', { preferred_username: 'annabel' })).toBe(ids[0])
  expect(await problem('ann-3', ann ?? {})).toBe('name_taken')
  expect(await arrive('ben-2', ben ?? {})).toBe(ids[1])
  await found.ok(...relink, '--by', 'username')
  expect(
    (await call(server, `/api/users/${ids[1]}`, { method: 'DELETE', token: await signIn(server), body: '{}' })).status,
  ).toBe(200)
  expect(await problem('ben-3', ben ?? {})).toBe('disabled')

  const { db } = await openDb(server.database)
  onTestFinished(() => db.destroy())
  const address = { user_id: ids[0], address: 'ann@example.org', pending: '', notices: 1 }
  await db.insertInto('mail_addresses').values(address).execute()
  expect(await arrive('ann-3', { preferred_username: 'annabel' })).toBe(ids[0])
  await found.ok(...relink, '--by', 'email')
  const email = { preferred_username: 'ann', email: 'Ann@example.org' }
  expect(await problem('ann-4', email)).toBe('name_taken')
  expect(await arrive('ann-4', { ...email, email_verified: true })).toBe(ids[0])
})
