import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newUser, perm } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

describe('the last administrator', () => {
  test('can be neither removed nor demoted', async () => {
    const place = await serve()
    const boss = await manager(place)
    expect((await boss.remove(1)).status).toBe(403)
    expect((await boss.update(1, ['perm'], { perm: perm('create') })).status).toBe(403)
    expect((await boss.update(1, ['all'], newUser('admin', { id: 1, password: '' }))).status).toBe(403)
    expect(json(await boss.get(1)).perm.admin).toBe(true)
  })

  test('AUTH-16 remains when two demote each other at once', async () => {
    const place = await serve()
    const boss = await manager(place)
    for (let round = 0; round < 5; round += 1) {
      const name = uniqueName('boss')
      const id = await boss.add(name, { perm: perm('admin', 'create') })
      const other = await manager(place, name, GOOD_PASSWORD)
      const [one, two] = await Promise.all([
        boss.update(id, ['perm'], { perm: perm('create') }),
        other.update(1, ['perm'], { perm: perm('create') }),
      ])
      expect([one.status, two.status].filter(status => status === 200)).toHaveLength(1)
      if (two.status === 200) await other.update(1, ['perm'], { perm: perm('admin', 'create') })
    }
  })
})
