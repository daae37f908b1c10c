import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { insertMount, updateMount } from '../../server/features/groups/mounts.store.ts'
import { setRoot } from '../../server/features/groups/roots.store.ts'
import type { Mount } from '../../shared/api/mounts.ts'
import type { QuotasAnswer } from '../../shared/api/quotas.ts'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { serve } from '../api/instance.ts'
import { mountRoot } from '../api/mounted-instance.ts'
import { openWarnings } from '../mail/warnings.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

const KIB = 1024
const LIMIT = 1_000_000

describe.runIf(hasPostgres)('two servers on PostgreSQL', async () => {
  const database = await (await sharedPostgres()).make()
  const one = await serve({ database })
  const other = await serve({ database, root: one.root })

  test('QTA-01 take exactly what fits of uploads at once, by every way, and know a new quota with the next request', async () => {
    const admin = await manager(one)
    const all = perm('create', 'modify', 'delete', 'download')
    const id = await admin.add('ann', { scope: '/ann', perm: all })
    const token = await signIn(one, 'ann', GOOD_PASSWORD)
    const put = (place: { url: string }, path: string) =>
      call(place, `/api/resources/${path}`, { method: 'POST', token, body: 'x'.repeat(KIB) })
    expect((await put(other, 'first')).status).toBe(200)
    expect((await send(one, 'PUT', `/api/quotas/users/${id}`, admin.token, { bytes: 11 * KIB })).status).toBe(204)
    const quota = async (place: { url: string }) => json(await call(place, '/api/quota', { token }))
    await expect.poll(() => quota(other)).toMatchObject({ limit: 11 * KIB, used: KIB, reserved: 0, exact: true })

    const tus = (place: { url: string }, name: string) =>
      call(place, `/api/tus/${name}`, {
        ...{ method: 'POST', token, body: 'x'.repeat(KIB) },
        headers: { 'Upload-Length': String(KIB), 'Content-Type': 'application/offset+octet-stream' },
      })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => {
        const place = number % 2 === 0 ? one : other
        return number % 4 < 2 ? put(place, `f${number}`) : tus(place, `t${number}`)
      }),
    )
    const taken = answers.filter(({ status }) => status < 300)
    expect(taken).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 507)).toHaveLength(10)
    for (const { headers } of answers.filter(({ status }) => status === 507))
      expect(headers.get('x-error-code')).toBe('quota_exceeded')
    expect(await readdir(join(one.root, 'ann'))).toHaveLength(11)
    for (const place of [one, other]) expect(await quota(place)).toMatchObject({ used: 11 * KIB, reserved: 0 })

    const limits = { bytes: null, items: 16 }
    expect((await send(other, 'PUT', `/api/quotas/users/${id}`, admin.token, limits)).status).toBe(204)
    await expect.poll(() => quota(one)).toMatchObject({ limit: null, items: { limit: 16, used: 11 } })
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        call(number % 2 === 0 ? one : other, `/api/resources/d${number}/`, { method: 'POST', token }),
      ),
    )
    expect(made.filter(({ status }) => status < 300)).toHaveLength(5)
    expect(await readdir(join(one.root, 'ann'))).toHaveLength(16)
  })
  test('QTA-01 QTA-05 take exactly what fits a mount and its root of uploads at once to both servers', async () => {
    const { home, disk, args } = await withRoot()
    const address = await (await sharedPostgres()).make()
    const here = await serve({ home, database: address, args })
    const there = await serve({ database: address, root: here.root, args })
    const admin = await manager(here)
    const at = await mountRoot(here)
    const mounts: Mount[] = json(await send(here, 'GET', '/api/mounts', admin.token))
    const limited = { name: at.slice(1), readOnly: false, quotaBytes: 10 * KIB }
    expect((await send(here, 'PUT', `/api/mounts/${mounts[0]?.id}`, admin.token, limited)).status).toBe(200)
    expect((await send(there, 'PATCH', '/api/roots/media', admin.token, { quotaBytes: 7 * KIB })).status).toBe(204)
    const meters = async (place: typeof here) => {
      const { mounts: ofMounts, roots }: QuotasAnswer = json(await send(place, 'GET', '/api/quotas', admin.token))
      return [...ofMounts, ...roots].map(({ used, reserved, exact }) => ({ used, reserved, exact }))
    }
    const empty = { used: 0, reserved: 0, exact: true }
    for (const place of [here, there]) await expect.poll(() => meters(place)).toEqual([empty, empty])
    const put = (place: { url: string }, name: string) =>
      call(place, `/api/resources${at}/${name}`, { method: 'POST', token: admin.token, body: 'x'.repeat(KIB) })
    const all = await Promise.all(Array.from({ length: 20 }, (_, one) => put(one % 2 ? here : there, `f${one}`)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(all.filter(({ status }) => status === 507)).toHaveLength(13)
    expect(await readdir(disk)).toHaveLength(7)
    const full = { used: 7 * KIB, reserved: 0, exact: true }
    for (const place of [here, there]) expect(await meters(place)).toEqual([full, full])
  })

  test('warn once of a root and of a mount that are nearly full, at each threshold, when both look', async () => {
    const address = await (await sharedPostgres()).make()
    const here = await openWarnings({ username: 'boss', perm: ALL_PERMISSIONS }, address)
    const there = await openWarnings({ username: 'ben' }, address)
    const { db, user: boss } = here
    await here.addWebhook()
    await setRoot(db, 'media', { label: 'Films', quota: { bytes: LIMIT } })
    const mount = { id: 'one', name: 'Team', root: 'media', folder: parsePath('/team'), readOnly: false, createdAt: 0 }
    await insertMount(db, mount)
    await updateMount(db, mount.id, { name: mount.name, readOnly: false, quota: { bytes: LIMIT } })
    for (const { quotas } of [here, there]) await quotas.reload()
    for (const { quotas } of [here, there]) await quotas.homes()
    const holds = async (bytes: number) => {
      await db.updateTable('quota_meters').set({ bytes, state: 'exact' }).execute()
      await Promise.all([here.look(), there.look()])
      for (const { log } of [here, there]) expect(log.error.mock.calls).toEqual([])
      return (await there.events()).map(({ data }) => `${data.place} ${data.percent}`).sort()
    }
    expect(await holds(LIMIT / 2)).toEqual([])
    expect(await holds(LIMIT * 0.8)).toEqual(['Team 80', 'media 80'])
    expect(await holds(LIMIT * 0.85)).toHaveLength(2)
    expect(await holds(LIMIT)).toEqual(['Team 100', 'Team 80', 'media 100', 'media 80'])
    const mailed = (await there.mails()).map(({ user_id, data }) => `${user_id} ${JSON.parse(data).place}`)
    expect(mailed.sort()).toEqual(['Team', 'Team', 'media', 'media'].map(place => `${boss.id} ${place}`))
    const warned = await db.selectFrom('place_warnings').select(['kind', 'place', 'percent']).orderBy('kind').execute()
    expect(warned).toEqual([
      { kind: 'mount', place: 'one', percent: 100 },
      { kind: 'root', place: 'media', percent: 100 },
    ])
  })
})
