import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

const KIB = 1024

describe.runIf(hasPostgres)('two servers on PostgreSQL', async () => {
  const database = await (await sharedPostgres()).make()
  const one = await serve({ database })
  const other = await serve({ database, root: one.root })

  test('QTA-01: take exactly what fits of uploads at once, by every way, and know a new quota with the next request', async () => {
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
})
