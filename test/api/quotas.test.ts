import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { QuotasAnswer } from '../../shared/api/quotas.ts'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from './accounts.ts'
import { call, json, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, KEEPS_DELETED, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { linkTo } from './links-client.ts'

const wire = await openInstance()
const admin = await manager(wire)
const ask = (method: string, path: string, body?: unknown, token: string | undefined = admin.token) =>
  send(wire, method, path, token, body)

const KIB = 1024

/** A user with a quota, in a home with a file of 2 KiB. */
async function limited(bytes: number | null) {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'old'), Buffer.alloc(2 * KIB))
  const all = perm('create', 'rename', 'modify', 'delete', 'download', 'share')
  const user = await newcomer(wire, admin, { scope: path, perm: all })
  expect((await ask('PUT', `/api/quotas/users/${user.id}`, { bytes })).status).toBe(204)
  const token = await signIn(wire, user.name, GOOD_PASSWORD)
  if (bytes !== null && bytes >= 0)
    await expect.poll(async () => json(await ask('GET', '/api/quota', undefined, token)).exact).toBe(true)
  const to = (method: string, path: string, body?: string, headers?: Record<string, string>) =>
    call(wire, path, { method, token, ...(body !== undefined && { body }), ...(headers && { headers }) })
  return { ...user, token, to, disk }
}

const x = (bytes: number) => 'x'.repeat(bytes)
const outcome = ({ status, headers }: Awaited<ReturnType<typeof call>>) => [status, headers.get('x-error-code')]
const FULL = [507, 'quota_exceeded']

test('QTA-01 what does not fit is 507 before the first byte, by every way', async () => {
  const { to, token } = await limited(5 * KIB)
  expect((await to('POST', '/api/resources/a', x(KIB))).status).toBe(200)
  const refused = await to('POST', '/api/resources/b', x(3 * KIB))
  expect(outcome(refused)).toEqual(FULL)
  expect([refused.text, refused.headers.get('x-quota')]).toEqual(['507 Insufficient Storage\n', `left=${2 * KIB}`])
  expect(outcome(await to('PUT', '/api/resources/a', x(4 * KIB)))).toEqual(FULL)
  expect(outcome(await to('POST', '/api/resources/a?override=true', x(4 * KIB)))).toEqual(FULL)
  expect(outcome(await to('POST', '/api/tus/t', undefined, { 'Upload-Length': String(3 * KIB) }))).toEqual(FULL)
  expect((await to('POST', '/api/tus/t', undefined, { 'Upload-Length': String(KIB) })).status).toBe(201)
  expect(outcome(await to('PATCH', '/api/resources/old?action=copy&destination=/new'))).toEqual(FULL)
  expect(json(await ask('GET', '/api/quota', undefined, token))).toEqual({
    ...{ limit: 5 * KIB, used: 3 * KIB, reserved: KIB, exact: true, items: { limit: null, used: 2, reserved: 1 } },
  })
  expect(json(await to('GET', '/api/usage/'))).toEqual({ total: 5 * KIB, used: 3 * KIB })
  expect((await to('DELETE', '/api/tus/t')).status).toBe(204)
  expect((await to('DELETE', '/api/resources/old')).status).toBe(204)
  expect(json(await ask('GET', '/api/quota', undefined, token))).toMatchObject({ used: KIB, reserved: 0 })
})

test('QTA-01 a file that another one is moved over gives its room back', async () => {
  const { to, token } = await limited(5 * KIB)
  expect((await to('POST', '/api/resources/a', x(3 * KIB))).status).toBe(200)
  expect((await to('PATCH', '/api/resources/a?action=rename&destination=/old&override=true')).status).toBe(200)
  expect(json(await ask('GET', '/api/quota', undefined, token))).toMatchObject({
    used: 3 * KIB,
    reserved: 0,
    exact: true,
  })
  expect((await to('POST', '/api/resources/b', x(2 * KIB))).status).toBe(200)
})

test.runIf(KEEPS_DELETED)(
  'QTA-01 restoring, extracting and packing are refused as well, and deleted items give their room back',
  async () => {
    const { to, token, disk } = await limited(6 * KIB)
    const jobs = jobsOf(wire, { token })
    expect((await to('DELETE', '/api/resources/old')).status).toBe(204)
    expect((await to('POST', '/api/resources/f', x(KIB))).status).toBe(200)
    expect((await to('PUT', '/api/resources/f', x(5 * KIB))).status).toBe(200)
    const { items } = json(await to('GET', '/api/trash?folder=/'))
    const { results } = json(await to('POST', '/api/trash/restore', JSON.stringify({ items: [{ id: items[0].id }] })))
    expect(results).toMatchObject([{ state: 'failed', code: 'quota_exceeded' }])
    await copyFile(new URL('../fixtures/archives/info-zip.zip', import.meta.url), join(disk, 'a.zip'))
    const extracted = await jobs.run({ kind: 'extract', items: [{ from: '/a.zip', to: '/out' }] })
    expect(extracted.items).toMatchObject([{ state: 'failed', code: 'quota_exceeded' }])
    const packed = await jobs.run({
      kind: 'archive',
      items: [{ from: '/f' }],
      archive: { to: '/p.tar', format: 'tar' },
    })
    expect(packed.items).toMatchObject([{ state: 'failed', code: 'quota_exceeded' }])
    expect((await readdir(disk)).sort()).toEqual(['a.zip', 'f'])
    expect(json(await to('GET', '/api/quota'))).toMatchObject({ used: 5 * KIB, reserved: 0 })
  },
)

test('QTA-09 a quota of items refuses one more file or folder by every way, and says how many fit', async () => {
  const { id, to, token } = await limited(null)
  expect((await ask('PUT', `/api/quotas/users/${id}`, { items: 3 })).status).toBe(204)
  const quota = async () => json(await ask('GET', '/api/quota', undefined, token))
  await expect.poll(quota).toMatchObject({ limit: null, exact: true, items: { limit: 3, used: 1, reserved: 0 } })
  expect((await to('POST', '/api/resources/d/')).status).toBe(200)
  expect((await to('POST', '/api/tus/t', undefined, { 'Upload-Length': '0' })).status).toBe(201)
  expect(await quota()).toMatchObject({ items: { limit: 3, used: 3 } })
  const refused = await to('POST', '/api/resources/e')
  expect(outcome(refused)).toEqual(FULL)
  expect(refused.headers.get('x-quota')).toBe('items=0')
  expect(outcome(await to('POST', '/api/resources/e/'))).toEqual(FULL)
  expect(outcome(await to('POST', '/api/tus/u', undefined, { 'Upload-Length': '0' }))).toEqual(FULL)
  expect(outcome(await to('PATCH', '/api/resources/d?action=copy&destination=/e'))).toEqual(FULL)
  expect((await to('PUT', '/api/resources/old', x(9))).status).toBe(200)
  expect((await to('DELETE', '/api/resources/d')).status).toBe(204)
  expect((await to('POST', '/api/resources/e')).status).toBe(200)
  expect((await ask('PUT', `/api/quotas/users/${id}`, { bytes: 2 * KIB })).status).toBe(204)
  const { users }: QuotasAnswer = json(await ask('GET', '/api/quotas'))
  expect(users.find(user => user.id === id)).toMatchObject({ own: 2 * KIB, ownItems: 3, items: { limit: 3 } })
})

test('QTA-05 what a recipient stores in a folder that is shared with them counts for its owner only', async () => {
  const [ann, bob] = [await limited(6 * KIB), await limited(4 * KIB)]
  await ann.to('POST', '/api/resources/docs/')
  const given = {
    path: '/docs',
    to: { kind: 'user', id: String(bob.id) },
    rights: ['download', 'create', 'modify', 'delete'],
  }
  expect((await ask('POST', '/api/grants', given, ann.token)).status).toBe(201)
  const used = async () => {
    const quotas = await Promise.all(
      [ann, bob].map(async ({ token }) => json(await ask('GET', '/api/quota', undefined, token))),
    )
    return quotas.map(quota => quota.used / KIB)
  }
  const shared = '/api/resources/Shared%20with%20me/docs'
  expect((await bob.to('POST', `${shared}/a`, x(3 * KIB))).status).toBe(200)
  expect(await used()).toEqual([5, 2])
  expect(outcome(await bob.to('POST', `${shared}/b`, x(2 * KIB)))).toEqual(FULL)
  expect((await bob.to('PATCH', `${shared}/a?action=copy&destination=/mine`)).status).toBe(507)
  expect((await bob.to('DELETE', '/api/resources/old')).status).toBe(204)
  expect((await bob.to('PATCH', `${shared}/a?action=copy&destination=/mine`)).status).toBe(200)
  expect(await used()).toEqual([5, 3])
  expect((await bob.to('DELETE', `${shared}/a`)).status).toBe(204)
  expect(await used()).toEqual([2, 3])
})

test('visitors of a file request learn that the room is full, not how much is left', async () => {
  const { to, token } = await limited(3 * KIB)
  await to('POST', '/api/resources/inbox/')
  const link = await linkTo(wire, token, '/inbox/', { kind: 'drop' })
  const headers = { 'Upload-Length': String(2 * KIB), 'Content-Type': 'application/offset+octet-stream' }
  const answer = await call(wire, `/api/public/tus/${link.hash}/big`, { method: 'POST', headers, body: '' })
  expect(outcome(answer)).toEqual(FULL)
  expect(answer.headers.get('x-quota')).toBeNull()
})

test('what visitors of a link to edit store counts for its owner, and they learn no more than that the room is full', async () => {
  const { to, token } = await limited(3 * KIB)
  await to('POST', '/api/resources/ours/')
  const { hash } = await linkTo(wire, token, '/ours/', { kind: 'edit', rights: ['create'] })
  const store = (name: string, body: string) =>
    call(wire, `/api/public/resources/${hash}/${name}`, { method: 'POST', body })
  const headers = { 'Upload-Length': String(3 * KIB) }
  const begun = await call(wire, `/api/public/tus/${hash}/big`, { method: 'POST', headers, body: '' })
  for (const answer of [await store('big', x(3 * KIB)), begun]) {
    expect(outcome(answer)).toEqual(FULL)
    expect(answer.headers.get('x-quota')).toBeNull()
  }
  expect((await store('small', x(KIB))).status).toBe(200)
  expect(outcome(await to('POST', '/api/resources/own', x(2 * KIB)))).toEqual(FULL)
})

test('quotas are listed with who gives them, and taken away', async () => {
  const { id, name } = await limited(7 * KIB)
  const free = await limited(null)
  const group = json(await ask('POST', '/api/groups', { name: uniqueName('g'), perm: {}, rules: [] }))
  await ask('PUT', `/api/groups/${group.id}/members/${free.id}`)
  expect((await ask('PUT', `/api/quotas/groups/${group.id}`, { bytes: 9 * KIB })).status).toBe(204)
  const { users, groups }: QuotasAnswer = json(await ask('GET', '/api/quotas'))
  expect(users.find(user => user.id === id)).toEqual({
    ...{ id, username: name, own: 7 * KIB, limit: 7 * KIB, used: 2 * KIB, reserved: 0, exact: true },
    ...{ ownItems: null, items: { limit: null, used: 1, reserved: 0 } },
  })
  expect(users.find(user => user.id === free.id)).toMatchObject({
    ...{ own: null, limit: 9 * KIB, group: { id: group.id, name: group.name } },
  })
  expect(groups).toContainEqual({ id: group.id, name: group.name, own: 9 * KIB, ownItems: null })
  const put = await ask('PUT', `/api/groups/${group.id}`, { name: group.name, perm: {}, rules: [] })
  expect(put.status).toBe(200)
  expect((await ask('POST', '/api/quotas/recount')).status).toBe(202)
  expect(json(await ask('GET', '/api/quota', undefined, free.token)).limit).toBe(9 * KIB)
  await ask('DELETE', `/api/groups/${group.id}`)
  expect(json(await ask('GET', '/api/quota', undefined, free.token)).limit).toBeNull()
  expect((await ask('PUT', `/api/quotas/users/${id}`, { bytes: null })).status).toBe(204)
})

test('calls refuse other users, unknown ids and what is no quota', async () => {
  const { id, token } = await limited(KIB)
  const [own, all] = ['/api/quota', '/api/quotas']
  const one = [`/api/quotas/users/${id}`, '/api/quotas/groups/everyone'] as const
  for (const path of one) {
    for (const body of [{ bytes: -2 }, { bytes: 1.5 }, { bytes: '1' }, { items: -2 }, { items: 0.5 }, {}])
      expect((await ask('PUT', path, body)).status).toBe(400)
    expect((await ask('PUT', path, { bytes: null }, token)).status).toBe(403)
    expect((await call(wire, path, { method: 'PUT', body: '{"bytes":1}' })).status).toBe(401)
  }
  for (const path of ['/api/quotas/users/999999', '/api/quotas/users/x', '/api/quotas/groups/none'])
    expect((await ask('PUT', path, { bytes: 1 })).status).toBe(404)
  expect((await ask('GET', all, undefined, token)).status).toBe(403)
  expect((await ask('POST', `${all}/recount`, undefined, token)).status).toBe(403)
  for (const [method, path] of [
    ['GET', own],
    ['GET', all],
    ['POST', `${all}/recount`],
  ] as const)
    expect((await call(wire, path, { method })).status).toBe(401)
})
