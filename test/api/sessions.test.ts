import { createHmac } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, claimsOf, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const token = await signIn(wire)

const list = (sent: string | undefined) => call(wire, '/api/resources/', sent === undefined ? {} : { token: sent })
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(header: object, claims: object, key: string | Buffer, algorithm = 'sha256'): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createHmac(algorithm, key).update(text).digest('base64url')}`
}

const [head = '', claims = '', signature = ''] = token.split('.')
const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
const HS256 = { alg: 'HS256', typ: 'JWT' }

test.each([
  ['no token', undefined],
  ['an empty token', ''],
  ['garbage', 'garbage'],
  ['garbage in three parts', 'a.b.c'],
  ['a token of two parts', `${head}.${claims}`],
  ['a token of four parts', `${token}.x`],
  ['a token with an empty signature', `${head}.${claims}.`],
  ['a token with a flipped signature', `${head}.${claims}.${flipped}`],
  ['another user in the same envelope', `${head}.${part({ ...claimsOf(token), user: { id: 2 } })}.${signature}`],
  ['a token that says alg none', `${part({ alg: 'none', typ: 'JWT' })}.${claims}.`],
  ['a token that says alg None and keeps its signature', `${part({ alg: 'None' })}.${claims}.${signature}`],
  ['a token signed with another key', signed(HS256, claimsOf(token), 'another key')],
  ['a token signed with an empty key', signed(HS256, claimsOf(token), '')],
  ['a token signed with HS512', signed({ alg: 'HS512', typ: 'JWT' }, claimsOf(token), 'key', 'sha512')],
  ['a token that points at a key file', signed({ ...HS256, kid: '/dev/null' }, claimsOf(token), '')],
  ['a token of 8 KiB', `${head}.${'x'.repeat(8192)}.${signature}`],
])('AUTH-05 %s is answered with 401', async (_what, sent) => {
  const answer = await list(sent)
  expect(answer.status).toBe(401)
  expect(answer.text).toBe('401 Unauthorized\n')
})

test('a fresh token does not request renewal', async () => {
  const answer = await list(await signIn(wire))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-renew-token')).not.toBe('true')
})

test('AUTH-06 signing out ends the session for all of its tokens', async () => {
  const first = await signIn(wire)
  const second = (await call(wire, '/api/renew', { method: 'POST', token: first })).text
  const answer = await call(wire, '/api/logout', { method: 'POST', token: second })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('set-cookie')).toMatch(/^auth=;.*Max-Age=0/)
  expect(answer.headers.get('clear-site-data')).toBe('"cache"')
  expect((await list(first)).status).toBe(401)
  expect((await list(second)).status).toBe(401)
  expect((await call(wire, '/api/renew', { method: 'POST', token: first })).status).toBe(401)
})

test('signing out twice succeeds, as does signing out with an invalid token or none', async () => {
  const own = await signIn(wire)
  for (const sent of [own, own, 'a.b.c']) {
    expect((await call(wire, '/api/logout', { method: 'POST', token: sent })).status).toBe(204)
  }
  const none = await call(wire, '/api/logout', { method: 'POST' })
  expect(none.status).toBe(204)
  // A page of another site can send that.
  expect(none.headers.get('clear-site-data')).toBeNull()
})

test('signing out ends only that session', async () => {
  const one = await signIn(wire)
  const other = await signIn(wire)
  await call(wire, '/api/logout', { method: 'POST', token: one })
  expect((await list(other)).status).toBe(200)
})

const cookie = { Cookie: `theme=dark; auth=${token}` }

test('the cookie alone is accepted for reads', async () => {
  expect((await call(wire, '/api/resources/', { headers: cookie })).status).toBe(200)
})

test('CSRF-01 the cookie alone is refused for changes', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'kept.txt'), 'kept')
  const target = `/api/resources${path}`
  const created = await call(wire, `${target}/new.txt`, { method: 'POST', headers: cookie, body: 'x' })
  expect(created.status).toBe(401)
  expect((await call(wire, `${target}/kept.txt`, { method: 'DELETE', headers: cookie })).status).toBe(401)
  expect((await call(wire, '/api/renew', { method: 'POST', headers: cookie })).status).toBe(401)
  expect(await readdir(disk)).toEqual(['kept.txt'])
})

test('signing out by cookie alone leaves the session as it was', async () => {
  const own = await signIn(wire)
  await call(wire, '/api/logout', { method: 'POST', headers: { Cookie: `auth=${own}` } })
  expect((await list(own)).status).toBe(200)
})

test.each(['cross-site', 'same-site'])('CSRF-01 the cookie is ignored on a %s request', async site => {
  const answer = await call(wire, '/api/resources/', { headers: { ...cookie, 'Sec-Fetch-Site': site } })
  expect(answer.status).toBe(401)
})

test('the cookie is accepted when the user typed the URL', async () => {
  const answer = await call(wire, '/api/resources/', { headers: { ...cookie, 'Sec-Fetch-Site': 'none' } })
  expect(answer.status).toBe(200)
})

test('a token in the URL opens a download', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'alpha')
  const answer = await call(wire, `/api/raw${path}/a.txt?auth=${token}`)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('alpha')
})

test('a token in the URL opens nothing but downloads', async () => {
  const { path } = await corner(wire)
  expect((await call(wire, `/api/resources/?auth=${token}`)).status).toBe(401)
  expect((await call(wire, `/api/usage/?auth=${token}`)).status).toBe(401)
  expect((await call(wire, `/api/renew?auth=${token}`, { method: 'POST' })).status).toBe(401)
  const created = await call(wire, `/api/resources${path}/x?auth=${token}`, { method: 'POST', body: 'x' })
  expect(created.status).toBe(401)
})
