import { expect, test } from 'vitest'
import { manager, newUser, OTHER_PASSWORD } from '../api/accounts.ts'
import { json, login } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const strict = await serve({ args: ['--requireCurrentPassword'] })
const boss = await manager(strict)
const own = { current_password: strict.adminPassword }

test.each([['password'], ['Password'], ['PASSWORD'], ['rules'], ['lockPassword'], ['perm'], ['scope'], ['commands']])(
  '%s cannot be changed without the current password where the host requires it',
  async field => {
    const name = uniqueName('u')
    await boss.create(newUser(name), own)
    const { id } = json(await boss.list()).find((user: { username: string }) => user.username === name)
    const data = newUser(name, { id, password: OTHER_PASSWORD })
    for (const which of [[field], ['locale', field], ['all'], []]) {
      expect((await boss.update(id, which, data)).status).toBe(400)
      expect((await boss.update(id, which, data, { current_password: null })).status).toBe(400)
    }
    expect((await login(strict, name, OTHER_PASSWORD)).status).toBe(403)
    expect((await boss.update(id, [field], data, own)).status).toBe(200)
  },
)

test('AUTH-09 no user is created or deleted without the current password, and minor changes need none', async () => {
  const name = uniqueName('u')
  expect((await boss.create(newUser(name))).status).toBe(400)
  expect((await boss.create(newUser(name), own)).status).toBe(201)
  const { id } = json(await boss.list()).find((user: { username: string }) => user.username === name)
  expect((await boss.update(id, ['locale'], { locale: 'fr' })).status).toBe(200)
  expect((await boss.remove(id)).status).toBe(400)
  expect((await boss.remove(id, own)).status).toBe(200)
})
