import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

describe.runIf(hasPostgres)('two servers on PostgreSQL', async () => {
  const database = await (await sharedPostgres()).make()
  const one = await serve({ database })
  const other = await serve({ database, root: one.root })

  test('GRP-03 know the groups of a user with the next request, without waiting for a message', async () => {
    const admin = await manager(one)
    await call(one, '/api/resources/a.txt', { method: 'POST', token: admin.token, body: 'alpha' })
    const ann = await admin.add('ann', { perm: perm() })
    const token = await signIn(one, 'ann', GOOD_PASSWORD)
    const ask = (method: string, path: string, body?: object) => send(one, method, path, admin.token, body)
    const fields = (more: object) => ({ name: 'staff', perm: more })
    const { id } = json(await ask('POST', '/api/groups', fields({})))
    const statusesAfter = async (change: Promise<unknown>) => {
      await change
      return Promise.all([other, one].map(async place => (await call(place, '/api/raw/a.txt', { token })).status))
    }
    for (let round = 0; round < 5; round++) {
      expect(await statusesAfter(ask('PUT', `/api/groups/${id}/members/${ann}`))).toEqual([403, 403])
      expect(await statusesAfter(ask('PUT', `/api/groups/${id}`, fields({ download: true })))).toEqual([200, 200])
      expect(await statusesAfter(ask('DELETE', `/api/groups/${id}/members/${ann}`))).toEqual([403, 403])
      expect(await statusesAfter(ask('PUT', `/api/groups/${id}`, fields({})))).toEqual([403, 403])
    }
  })
})
