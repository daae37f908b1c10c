import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, perm, send } from './accounts.ts'
import { call, json, login } from './client.ts'
import { linkTo, load } from './links-client.ts'
import { newSharer } from './sharers.ts'
import { openSharing, SHARED, VIEW } from './sharing.ts'

const { server, admin, give, toUser, received } = await openSharing()

const disable = (id: number | string, disabled: unknown = true, token = admin.token, more: object = {}) =>
  send(server, 'PUT', `/api/users/${id}/disabled`, token, { disabled, ...more })
const disabled = async () => json(await send(server, 'GET', '/api/users/disabled', admin.token))

describe('a user whose account is disabled', () => {
  test('is signed out and does not come in, until it is enabled again', async () => {
    const { id, name, token } = await newSharer(server, admin)
    const made = await send(server, 'POST', '/api/tokens', token, {
      ...{ label: 'backup', scopes: ['read'], current_password: GOOD_PASSWORD },
    })
    const secret = json(made).token
    expect((await call(server, '/api/resources/', { token: secret })).status).toBe(200)
    expect((await disable(id)).status).toBe(204)
    expect(await disabled()).toContainEqual({ id, by: 'admin' })
    for (const credential of [token, secret])
      expect((await call(server, '/api/resources/', { token: credential })).status).toBe(401)
    expect((await send(server, 'GET', `/api/users/${id}/access`, admin.token)).status).toBe(200)
    const wrong = await login(server, name, 'not the password')
    const right = await login(server, name, GOOD_PASSWORD)
    expect([right.status, right.text]).toEqual([wrong.status, wrong.text])
    expect((await disable(id, false)).status).toBe(204)
    expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)
    expect((await call(server, '/api/resources/', { token: secret })).status).toBe(200)
    expect((await call(server, '/api/resources/', { token })).status).toBe(401)
    expect((await disabled()).map((one: { id: number }) => one.id)).not.toContain(id)
  })

  test('shares nothing with visitors and other users until then, and the same afterwards', async () => {
    const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    expect((await give(ann, '/docs', toUser(bob), VIEW)).status).toBe(201)
    const at = `${SHARED}/docs`
    expect([(await load(server, hash)).status, (await bob.files.get(`${at}/`)).status]).toEqual([200, 200])
    await disable(ann.id)
    expect((await load(server, hash)).status).toBe(404)
    expect((await bob.files.get(`${at}/`)).status).toBe(404)
    expect((await received(bob)).items).toEqual([])
    await disable(ann.id, false)
    expect([(await load(server, hash)).status, (await bob.files.get(`${at}/`)).status]).toEqual([200, 200])
  })

  test('is disabled by another administrator only, and never the last one', async () => {
    const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
    const boss = await newSharer(server, admin, { perm: perm('admin') })
    expect((await disable(ann.id, true, bob.token)).status).toBe(403)
    expect((await disable(boss.id, true, boss.token)).status).toBe(403)
    expect((await disable(999_999)).status).toBe(404)
    expect((await disable(ann.id, 'yes')).status).toBe(400)
    expect((await disable(ann.id, true, admin.token, { current_password: 'wrong' })).status).toBe(400)
    expect((await send(server, 'GET', '/api/users/disabled', bob.token)).status).toBe(403)
    expect(await disabled()).toEqual([])
    const log = await disable(boss.id).then(() => call(server, '/api/audit?action=user.change', { token: admin.token }))
    expect(json(log).rows[0]).toMatchObject({ target: `${boss.name}: disabled` })
  })
})
