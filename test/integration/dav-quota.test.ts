import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { send } from '../api/accounts.ts'
import { uniqueName } from '../api/harness.ts'
import { account, openDav } from './dav-place.ts'

const place = await openDav()
const KIB = 1024
const ASKS = '<D:propfind xmlns:D="DAV:"><D:prop><D:quota-available-bytes/><D:quota-used-bytes/></D:prop></D:propfind>'

test('a drive is as large as the quota of its user, and what does not fit is 507 before the first byte', async () => {
  const { dav, root, admin, server } = place
  const scope = `/${uniqueName('t')}`
  await mkdir(join(root, scope))
  await writeFile(join(root, scope, 'old'), Buffer.alloc(2 * KIB))
  const { user, id } = await account(place, { scope })
  expect((await send(server, 'PUT', `/api/quotas/users/${id}`, admin.token, { bytes: 5 * KIB })).status).toBe(204)
  await place.context.quotas.reload()
  await place.context.quotas.counting.wake()
  const { body } = await dav('PROPFIND', '/', { user, body: ASKS, headers: { Depth: '0' } })
  expect(body.toString()).toContain(`quota-available-bytes>${3 * KIB}<`)
  expect(body.toString()).toContain(`quota-used-bytes>${2 * KIB}<`)
  expect((await dav('PUT', '/new', { user, body: Buffer.alloc(KIB) })).status).toBe(201)
  const full = await dav('PUT', '/more', { user, body: Buffer.alloc(3 * KIB) })
  expect([full.status, full.headers['x-error-code']]).toEqual([507, 'quota_exceeded'])
  expect((await dav('COPY', '/old', { user, headers: { Destination: '/dav/a' } })).status).toBe(201)
  expect((await dav('COPY', '/old', { user, headers: { Destination: '/dav/b' } })).status).toBe(507)
  expect((await dav('DELETE', '/a', { user })).status).toBe(204)
  expect((await dav('COPY', '/old', { user, headers: { Destination: '/dav/b' } })).status).toBe(201)
})
