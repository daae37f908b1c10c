import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer } from './accounts.ts'
import { call, claimsOf, json, signIn } from './client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const list = (token: string) => call(wire, '/api/sessions', { token })
const end = (token: string, id: string) => call(wire, `/api/sessions/${id}`, { method: 'DELETE', token })
const works = async (token: string) => (await call(wire, '/api/resources/', { token })).status

describe('the sessions of a user', () => {
  test('are listed with their client, and only the user’s own', async () => {
    const { token, name } = await newcomer(wire, admin)
    const second = await signIn(wire, name, GOOD_PASSWORD)
    await call(wire, '/api/resources/', { token: second, headers: { 'User-Agent': 'Tests/1' } })
    const sessions = json(await list(token))
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    expect(sessions.find(({ id }: { id: string }) => id === claimsOf(second).sid)).toMatchObject({
      current: false,
      agent: 'Tests/1',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      created: expect.stringMatching(/^\d{4}-/),
      seen: expect.stringMatching(/^\d{4}-/),
    })
    expect(JSON.stringify(sessions)).not.toContain(token.split('.')[2])
  })

  test('AUTH-06 are ended one by one', async () => {
    const { token, name } = await newcomer(wire, admin)
    const second = await signIn(wire, name, GOOD_PASSWORD)
    expect((await end(token, claimsOf(second).sid)).status).toBe(204)
    expect(await works(second)).toBe(401)
    expect(await works(token)).toBe(200)
    expect((await end(token, claimsOf(second).sid)).status).toBe(404)
  })

  test('AUTH-06 are all ended at once, with the cookie', async () => {
    const { token, name } = await newcomer(wire, admin)
    const second = await signIn(wire, name, GOOD_PASSWORD)
    const answer = await call(wire, '/api/sessions', { method: 'DELETE', token })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    for (const ended of [token, second]) expect(await works(ended)).toBe(401)
  })

  test('of others cannot be ended, not even by an administrator', async () => {
    const { token } = await newcomer(wire, admin)
    expect((await end(admin.token, claimsOf(token).sid)).status).toBe(404)
    expect(await works(token)).toBe(200)
  })

  test('are listed with a session only', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', '/x'],
    ]) {
      expect((await call(wire, `/api/sessions${path}`, { method: method ?? '' })).status).toBe(401)
    }
  })
})
