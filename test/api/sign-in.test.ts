import { expect, test } from 'vitest'
import { call, json, login } from './client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()

const post = (
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
) => call(wire, '/api/login', { method: 'POST', headers, body })
const credentials = () => ({ username: 'admin', password: wire.adminPassword })

/** Everything in a response by which a client could distinguish two, except the clock. */
const visible = (answer: Awaited<ReturnType<typeof post>>) => {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'))
  return { status: answer.status, text: answer.text, headers }
}

test('the right password returns a token as plain text', async () => {
  const answer = await login(wire, 'admin', wire.adminPassword)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.text).not.toMatch(/\s/)
})

test('the token has three parts and the user in the middle one', async () => {
  const parts = (await login(wire, 'admin', wire.adminPassword)).text.split('.')
  expect(parts).toHaveLength(3)
  const [head, claims] = parts.slice(0, 2).map(part => JSON.parse(Buffer.from(part, 'base64url').toString()))
  expect(head).toMatchObject({ alg: 'HS256', typ: 'JWT' })
  expect(claims.exp).toBeGreaterThan(claims.iat)
  expect(claims.user).toMatchObject({
    id: expect.any(Number),
    username: 'admin',
    locale: expect.any(String),
    viewMode: expect.any(String),
    singleClick: expect.any(Boolean),
    commands: expect.any(Array),
    lockPassword: false,
    hideDotfiles: false,
    dateFormat: expect.any(Boolean),
  })
  const granted = { admin: true, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  expect(claims.user.perm).toMatchObject(granted)
})

test('the token contains nothing of scope, rules or password', async () => {
  const [, claims = ''] = (await login(wire, 'admin', wire.adminPassword)).text.split('.')
  const { user } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  for (const field of ['scope', 'rules', 'password', 'passwordHash']) expect(user).not.toHaveProperty(field)
})

test('HDR-02 the session cookie is inaccessible to scripts and other sites, and valid for this instance only', async () => {
  const answer = await login(wire, 'admin', wire.adminPassword)
  const [pair = '', ...attributes] = (answer.headers.get('set-cookie') ?? '').split('; ')
  expect(pair).toBe(`auth=${answer.text}`)
  expect(attributes).toEqual(expect.arrayContaining([`Path=${wire.base || '/'}`, 'HttpOnly', 'SameSite=Strict']))
})

test('a wrong password is refused', async () => {
  const answer = await login(wire, 'admin', `${wire.adminPassword}x`)
  expect(answer.status).toBe(403)
  expect(answer.text).toBe('403 Forbidden\n')
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('an unknown name gets the same response as a wrong password', async () => {
  expect(visible(await login(wire, 'nobody-here', 'wrong'))).toEqual(visible(await login(wire, 'admin', 'wrong')))
})

test('names are case-sensitive', async () => {
  expect((await login(wire, 'ADMIN', wire.adminPassword)).status).toBe(403)
})

test('an empty password is refused', async () => {
  expect((await login(wire, 'admin', '')).status).toBe(403)
})

test.each([
  ['malformed JSON', '{"username":"admin",'],
  ['an empty body', ''],
  ['JSON that is no object', '"admin"'],
  ['null', 'null'],
  ['an array', '[]'],
  ['an object without a password', '{"username":"admin"}'],
  ['numbers instead of texts', '{"username":1,"password":2}'],
  ['objects instead of texts', '{"username":{"$ne":""},"password":{"$ne":""}}'],
])('%s is refused like wrong credentials', async (_what, body) => {
  const answer = await post(body)
  expect(answer.status).toBe(403)
  expect(answer.text).toBe('403 Forbidden\n')
})

test('a body of more than 1 MiB is refused', async () => {
  const answer = await post(JSON.stringify({ ...credentials(), padding: 'x'.repeat(1024 * 1024) }))
  expect([403, 413]).toContain(answer.status)
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('a body nested 30 000 levels deep is refused and the server continues', async () => {
  const answer = await post(`{"username":"admin","password":${'['.repeat(30_000)}`)
  expect(answer.status).toBe(403)
  expect((await login(wire, 'admin', wire.adminPassword)).status).toBe(200)
})

test.each([
  ['__proto__', '{"username":"admin","password":"PASSWORD","__proto__":{"perm":{}}}'],
  ['constructor.prototype', '{"username":"admin","password":"PASSWORD","constructor":{"prototype":{"x":1}}}'],
])('a body with the key %s does not sign in', async (_key, template) => {
  const answer = await post(template.replace('PASSWORD', wire.adminPassword))
  expect(answer.status).toBe(403)
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('a body sent as text/plain is accepted', async () => {
  const answer = await post(JSON.stringify(credentials()), { 'Content-Type': 'text/plain;charset=UTF-8' })
  expect(answer.status).toBe(200)
})

test('a body without a content type is accepted', async () => {
  const answer = await post(Buffer.from(JSON.stringify(credentials())), {})
  expect(answer.status).toBe(200)
})

test('CSRF-01 a form of a foreign page does not sign in', async () => {
  const form = new URLSearchParams(credentials()).toString()
  const answer = await post(form, { 'Content-Type': 'application/x-www-form-urlencoded' })
  expect(answer.status).toBe(403)
})

test('renewing returns a new token that works', async () => {
  const token = (await login(wire, 'admin', wire.adminPassword)).text
  const renewed = await call(wire, '/api/renew', { method: 'POST', token })
  expect(renewed.status).toBe(200)
  expect(renewed.headers.get('x-renew-token')).toBe('false')
  expect(renewed.headers.get('set-cookie')).toContain(`auth=${renewed.text};`)
  const listing = await call(wire, '/api/resources/', { token: renewed.text })
  expect(listing.status).toBe(200)
  expect(json(listing).isDir).toBe(true)
})
