import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseItems, parseQuota, shownBytes } from '../../server/cli/quotas/size.ts'
import { GOOD_PASSWORD, manager } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

test('sizes have units, and what is no size is refused', () => {
  expect(['0', '10GB', '1.5 TiB', '100 kb', 'unlimited', 'none'].map(parseQuota)).toEqual([
    ...[0, 10e9, 1.5 * 1024 ** 4, 100_000, -1, null],
  ])
  for (const wrong of ['', '-1', 'GB', '1 XB', '1e3', '99999999PiB']) expect(() => parseQuota(wrong)).toThrow('size')
  expect(['0', '100000', 'unlimited', 'none'].map(parseItems)).toEqual([0, 100_000, -1, null])
  for (const wrong of ['', '-1', '1.5', '1e3', 'x']) expect(() => parseItems(wrong)).toThrow('number')
  expect([0, 1023, 1024 ** 3, 1.25 * 1024 ** 2].map(shownBytes)).toEqual(['0 B', '1023 B', '1 GiB', '1.3 MiB'])
})

test('quotas are set, listed, counted and compared while the server runs', async () => {
  const server = await serveOnce()
  const found = await openConsole(server.home)
  const on = ['-d', server.database]
  const admin = await manager(server)
  await admin.add('ann', { scope: '/ann' })
  const token = await signIn(server, 'ann', GOOD_PASSWORD)
  const put = (name: string, bytes: number) =>
    call(server, `/api/resources/${name}`, { method: 'POST', token, body: 'x'.repeat(bytes) })
  expect((await put('a', 600)).status).toBe(200)
  await found.ok('quotas', 'set', 'user:ann', '1kb', ...on)
  await found.ok('quotas', 'recount', ...on)
  const full = await put('b', 600)
  expect([full.status, full.headers.get('x-error-code')]).toEqual([507, 'quota_exceeded'])
  expect(full.headers.get('x-quota')).toBe('left=400')
  expect(await found.ok('quotas', 'ls', ...on)).toMatch(/user:ann +1000 B +600 B +0 B +own +exact/)
  expect(await found.ok('quotas', 'verify', ...on)).toMatch(/\/ann\t600 bytes, 1 items\tok/)
  expect(json(await call(server, '/api/quota', { token }))).toMatchObject({ limit: 1000, used: 600, exact: true })
  await found.ok('quotas', 'set', 'user:ann', '--items', '2', ...on)
  expect(await found.ok('quotas', 'ls', ...on)).toMatch(/user:ann +1000 B +600 B +0 B +own +exact +1 of 2/)
  await found.ok('quotas', 'set', 'user:ann', '--items', 'none', ...on)
  await found.ok('quotas', 'set', 'group:everyone', '5GB', ...on)
  await found.ok('quotas', 'set', 'user:ann', 'none', ...on)
  expect((await put('b', 600)).status).toBe(200)
  expect(await found.ok('quotas', 'ls', ...on)).toMatch(/group:everyone +4.7 GiB/)
  await found.refused('quotas', 'set', 'user:ann', ...on)
  await found.refused('quotas', 'set', 'ann', '1GB', ...on)
  await found.refused('quotas', 'set', 'user:nobody', '1GB', ...on)
})

test('QTA-05 quotas of further roots and mounts are set, listed, counted and compared', async () => {
  const { home, disk, args } = await withRoot()
  await writeFile(join(disk, 'a'), 'x'.repeat(600))
  const found = await openConsole(home)
  await found.ok('config', 'init')
  await found.ok('mounts', 'add', 'Team', '--of', 'media', '--folder', '/team', '--make', ...args)
  await found.ok('quotas', 'set', 'root:media', '1kb', ...args)
  await found.ok('quotas', 'set', 'mount:team', '--items', '7', ...args)
  expect(await found.ok('quotas', 'recount', ...args)).toContain('//media\t600 B\texact')
  const listed = await found.ok('quotas', 'ls', ...args)
  expect(listed).toMatch(/root:media +1000 B +600 B +0 B +own +exact/)
  expect(listed).toMatch(/mount:Team +0 B +0 B +own +exact +0 of 7/)
  expect(await found.ok('quotas', 'verify', ...args)).toContain('//media\t600 bytes, 2 items\tok')
  await writeFile(join(disk, 'b'), 'x')
  await found.refused('quotas', 'verify', ...args)
  await found.ok('quotas', 'set', 'root:media', 'unlimited', ...args)
  expect(await found.ok('quotas', 'ls', ...args)).not.toContain('root:media')
  await found.refused('quotas', 'set', 'root:main', '1kb', ...args)
  await found.refused('quotas', 'set', 'mount:none', '1kb', ...args)
})
