import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type LockInfo, LockList } from '../../shared/api/locks.ts'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from './accounts.ts'
import { call, json } from './client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const RIGHTS = { perm: perm('create', 'modify', 'rename', 'delete', 'download') }
const [ann, bob] = [await newcomer(wire, admin, RIGHTS), await newcomer(wire, admin, RIGHTS)]
const XML =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

let path: string
beforeEach(async () => {
  const place = await corner(wire)
  path = `${place.path}/a.txt`
  await writeFile(join(place.disk, 'a.txt'), 'content')
})

/** Locks the file as a program of ann does. */
async function lock(): Promise<LockInfo> {
  const Authorization = `Basic ${Buffer.from(`${ann.name}:${GOOD_PASSWORD}`).toString('base64')}`
  const answer = await call(wire, `/dav${path}`, { method: 'LOCK', headers: { Authorization, Depth: '0' }, body: XML })
  expect(answer.status).toBe(200)
  return (await list(ann.token))[0] as LockInfo
}
const list = async (token: string): Promise<LockInfo[]> => {
  const answer = await call(wire, `/api/locks${path}`, { token })
  expect(answer.status).toBe(200)
  return LockList.parse(json(answer)).locks
}
const release = async (token: string, id: string, at = path) =>
  (await send(wire, 'DELETE', `/api/locks${at}?id=${id}`, token)).status

describe('a lock', () => {
  test('is listed for every user who sees the file, with what each may do', async () => {
    expect(await list(ann.token)).toEqual([])
    const { id } = await lock()
    expect(await list(ann.token)).toMatchObject([{ id, mine: true, releasable: true, via: 'dav', scope: 'exclusive' }])
    expect(await list(bob.token)).toMatchObject([{ id, mine: false, releasable: false }])
    expect(await list(admin.token)).toMatchObject([{ id, mine: false, releasable: true }])
  })

  test('stops a save with 423 until its user releases it, and is not released by another user', async () => {
    const { id } = await lock()
    const save = () => call(wire, `/api/resources${path}`, { method: 'PUT', token: bob.token, body: 'new' })
    const refused = await save()
    expect([refused.status, refused.headers.get('x-lock')]).toEqual([423, id])
    expect(await release(bob.token, id)).toBe(403)
    expect(await release(ann.token, id)).toBe(204)
    expect(await release(ann.token, id)).toBe(404)
    expect((await save()).status).toBe(200)
  })

  test('is released by an administrator', async () => {
    expect(await release(admin.token, (await lock()).id)).toBe(204)
    expect(await list(ann.token)).toEqual([])
  })
})

test('locks of a path that does not exist, or of a client without a session, are refused', async () => {
  expect((await call(wire, `/api/locks${path}/none`, { token: ann.token })).status).toBe(404)
  expect(await release(ann.token, 'x', `${path}/none`)).toBe(404)
  expect((await call(wire, `/api/locks${path}`)).status).toBe(401)
})
