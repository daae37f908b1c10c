import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer } from './accounts.ts'
import { call, login } from './client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const addUser = (fields?: Record<string, unknown>) => newcomer(wire, admin, fields)

describe('removing a user', () => {
  test('AUTH-07 ends their sessions, and frees the name but not the id', async () => {
    const { id, name, token } = await addUser()
    const answer = await admin.remove(id)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('200 OK\n')
    expect((await call(wire, '/api/resources/', { token })).status).toBe(401)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(403)
    expect((await admin.remove(id)).status).toBe(404)
    expect(await admin.add(name)).toBeGreaterThan(id)
    expect((await call(wire, '/api/resources/', { token })).status).toBe(401)
  })

  test.each([[undefined], [{}], [{ current_password: null }], ['null']])('works with the body %j', async body => {
    const { id } = await addUser()
    expect((await admin.remove(id, body)).status).toBe(200)
  })

  test('needs the right current password when one is sent', async () => {
    const { id } = await addUser()
    expect((await admin.remove(id, { current_password: 'wrong' })).status).toBe(400)
    expect((await admin.remove(id, { current_password: wire.adminPassword })).status).toBe(200)
  })

  test('is open to every user for their own account', async () => {
    const { id, remove } = await addUser()
    expect((await remove(id)).status).toBe(200)
    expect((await admin.get(id)).status).toBe(404)
  })
})
