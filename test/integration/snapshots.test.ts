import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RestoredEntry, SnapshotList } from '../../shared/api/snapshots.ts'
import { manager, perm } from '../api/accounts.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { mayMount, mountBtrfs, mountSmallDisk, unmount } from '../api/disks.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { EVERYTHING, PASSWORD, whole } from '../api/people.ts'

/** A served folder with two snapshots, where a pattern of the host finds them. */
async function withSnapshots() {
  const server = await serve({ args: ['--snapshots', '{top}/.shots/home.%Y%m%dT%H%M'] })
  const states = ['home.20261101T0900', 'home.20261102T0900'].map(name => join(server.root, '.shots', name))
  for (const [index, state] of states.entries()) {
    await mkdir(join(state, 'docs/private'), { recursive: true })
    await writeFile(join(state, 'docs/report.txt'), `draft ${index}`)
    await utimes(join(state, 'docs/report.txt'), 1_700_000_000 + index, 1_700_000_000 + index)
    await writeFile(join(state, 'docs/private/secret.txt'), 'secret')
    await writeFile(join(state, 'docs/gone.txt'), 'was here')
    await utimes(join(state, 'docs/gone.txt'), 1_700_000_000, 1_700_000_000)
    await symlink('/etc/passwd', join(state, 'docs/out'))
  }
  await mkdir(join(server.root, 'docs/private'), { recursive: true })
  await writeFile(join(server.root, 'docs/report.txt'), 'final')
  return { server, admin: await person(server) }
}

const listAt = async (server: OwnServer, { token }: Person, path: string): Promise<SnapshotList['items']> =>
  json(await call(server, `/api/snapshots${encode(path)}`, { token })).items

const rawAt = (server: OwnServer, { token }: Person, path: string, id: string) =>
  call(server, `/api/raw${encode(path)}?at=${id}`, { token })

async function restore(server: OwnServer, { token }: Person, path: string, body: Record<string, string>) {
  const headers = { 'Content-Type': 'application/json' }
  const how = { method: 'POST', token, headers, body: JSON.stringify(body) }
  const answer = await call(server, `/api/snapshots${encode(path)}`, how)
  const lines = answer.text.split('\n').filter(line => line !== '')
  return answer.status === 200 ? lines.map(line => JSON.parse(line) as RestoredEntry) : answer.status
}

test('the earlier states of a file are listed, read and restored, and a deleted file comes back', async () => {
  const { server, admin } = await withSnapshots()
  const states = await listAt(server, admin, '/docs/report.txt')
  expect(states.map(({ name, size }) => [name, size])).toEqual([
    ['home.20261102T0900', 7],
    ['home.20261101T0900', 7],
  ])
  const oldest = states[1]?.id ?? ''
  expect((await rawAt(server, admin, '/docs/report.txt', oldest)).text).toBe('draft 0')
  const folder = json(await call(server, `/api/resources/docs/?at=${oldest}`, { token: admin.token }))
  expect(folder.items.map((item: { name: string }) => item.name).sort()).toEqual([
    'gone.txt',
    'out',
    'private',
    'report.txt',
  ])

  expect(await restore(server, admin, '/docs/report.txt', { at: oldest })).toEqual([
    { path: '/docs/report(1).txt', state: 'restored' },
  ])
  expect(await restore(server, admin, '/docs/report.txt', { at: oldest, conflict: 'replace' })).toEqual([
    { path: '/docs/report.txt', state: 'restored' },
  ])
  expect(await readFile(join(server.root, 'docs/report.txt'), 'utf8')).toBe('draft 0')
  // Unchanged between the two snapshots: one state.
  expect(await listAt(server, admin, '/docs/gone.txt')).toHaveLength(1)
  await restore(server, admin, '/back', { at: oldest, from: '/docs' })
  expect(await readFile(join(server.root, 'back/gone.txt'), 'utf8')).toBe('was here')
})

test('a snapshot cannot be changed, and an unknown one is not found', async () => {
  const { server, admin } = await withSnapshots()
  const [state] = await listAt(server, admin, '/docs')
  for (const id of ['0'.repeat(32), '../..', '']) {
    expect((await rawAt(server, admin, '/docs/report.txt', id)).status).toBe(404)
  }
  const { token } = admin
  await call(server, `/api/resources/docs/report.txt?at=${state?.id}`, { method: 'DELETE', token })
  expect((await rawAt(server, admin, '/docs/report.txt', state?.id ?? '')).text).toBe('draft 1')
})

test('SNAP-01 scope and rules of now hold in a snapshot, and no link leads out of it', async () => {
  const { server, admin } = await withSnapshots()
  const accounts = await manager(server)
  const rules = [whole({ path: '/private' })]
  await accounts.add('ruled', { password: PASSWORD, perm: perm(...EVERYTHING), scope: '/docs', rules })
  const ruled = await person(server, 'ruled', PASSWORD)
  const [state] = await listAt(server, ruled, '/report.txt')
  const id = state?.id ?? ''
  expect((await rawAt(server, ruled, '/report.txt', id)).text).toBe('draft 1')
  expect((await rawAt(server, ruled, '/private/secret.txt', id)).status).toBe(403)
  expect((await rawAt(server, ruled, '/docs/report.txt', id)).status).toBe(404)
  expect((await call(server, '/api/snapshots/private/secret.txt', { token: ruled.token })).status).toBe(403)
  expect(await restore(server, ruled, '/stolen.txt', { at: id, from: '/private/secret.txt' })).toBe(403)
  expect((await rawAt(server, admin, '/docs/out', id)).status).toBe(403)
})

test('SNAP-01 a folder that only looks like a snapshot is none', async () => {
  const server = await serve()
  const admin = await person(server)
  for (const place of ['.zfs/snapshot/2026-11-01', '.snapshots/1/snapshot', '.snapshot/2026-11-01']) {
    await mkdir(join(server.root, place), { recursive: true })
    await writeFile(join(server.root, place, 'a.txt'), 'planted')
  }
  await writeFile(join(server.root, 'a.txt'), 'real')
  expect(await listAt(server, admin, '/a.txt')).toEqual([])
})

test.skipIf(!mayMount())(
  'a file system in the place of snapper’s snapshots is one, at the time that snapper notes',
  async () => {
    const server = await serve()
    const admin = await person(server)
    const place = join(server.root, '.snapshots/7')
    await mkdir(join(place, 'snapshot'), { recursive: true })
    mountSmallDisk(join(place, 'snapshot'), 2 ** 20)
    onTestFinished(() => void unmount(join(place, 'snapshot')))
    await writeFile(join(place, 'info.xml'), '<snapshot><date>2026-11-23 09:30:00</date></snapshot>')
    await writeFile(join(place, 'snapshot/a.txt'), 'earlier')
    await writeFile(join(server.root, 'a.txt'), 'now, and longer')
    const [state] = await listAt(server, admin, '/a.txt')
    expect(state).toMatchObject({ name: '7', source: 'snapper', time: '2026-11-23T09:30:00Z' })
    expect((await rawAt(server, admin, '/a.txt', state?.id ?? '')).text).toBe('earlier')
  },
)

/** A served Btrfs disk with a read-only snapshot where snapper puts it. */
async function withBtrfs(): Promise<OwnServer | undefined> {
  const home = await mkdtemp(join(tmpdir(), 'btrfs-'))
  const root = join(home, 'root')
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  if (!mountBtrfs(root, 'docs')) return undefined
  onTestFinished(() => void unmount(root))
  await mkdir(join(root, 'docs/private'))
  await writeFile(join(root, 'docs/report.txt'), 'draft')
  await writeFile(join(root, 'docs/private/secret.txt'), 'secret')
  await symlink('/etc/passwd', join(root, 'docs/out'))
  const place = join(root, 'docs/.snapshots/1')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'info.xml'), '<snapshot><date>2026-11-23 09:30:00</date></snapshot>')
  execFileSync('btrfs', ['subvolume', 'snapshot', '-r', join(root, 'docs'), join(place, 'snapshot')], {
    stdio: 'ignore',
  })
  await writeFile(join(root, 'docs/report.txt'), 'final, and longer')
  return serve({ root: join(root, 'docs') })
}

test.skipIf(!mayMount())(
  'SNAP-01 a snapshot of Btrfs is shown as it was and restored from, with links and rules inside, and is in no listing',
  async context => {
    const server = await withBtrfs()
    if (!server) return context.skip()
    const admin = await person(server)
    const accounts = await manager(server)
    const rules = [whole({ path: '/private' })]
    await accounts.add('ruled-btrfs', { password: PASSWORD, perm: perm(...EVERYTHING), scope: '/', rules })
    const ruled = await person(server, 'ruled-btrfs', PASSWORD)

    const [state] = await listAt(server, admin, '/report.txt')
    expect(state).toMatchObject({ name: '1', source: 'snapper', time: '2026-11-23T09:30:00Z' })
    const id = state?.id ?? ''
    expect((await rawAt(server, admin, '/report.txt', id)).text).toBe('draft')
    expect((await rawAt(server, admin, '/out', id)).status).toBe(403)
    expect((await rawAt(server, ruled, '/private/secret.txt', id)).status).toBe(403)

    const namesIn = async (path: string) =>
      json(await call(server, path, { token: admin.token }))
        .items.map(({ name }: { name: string }) => name)
        .sort()
    expect(await namesIn('/api/resources/')).toEqual(['out', 'private', 'report.txt'])
    expect(await namesIn(`/api/resources/?at=${id}`)).toEqual(['out', 'private', 'report.txt'])
    const found = await call(server, '/api/search/?query=report', { token: admin.token })
    expect(found.text.split('report.txt').length).toBe(2)

    expect(await restore(server, admin, '/report.txt', { at: id, conflict: 'replace' })).toEqual([
      { path: '/report.txt', state: 'restored' },
    ])
    expect((await call(server, '/api/raw/report.txt', { token: admin.token })).text).toBe('draft')

    // Everything at once: what other snapshots left in this one does not come back with it.
    const restored = await restore(server, admin, '/then', { at: id, from: '/' })
    expect(restored).toContainEqual({ path: '/then/report.txt', state: 'restored' })
    expect((await readdir(join(server.root, 'then'))).sort()).toEqual(['private', 'report.txt'])
  },
)

test('a folder with the name of one that holds snapshots is listed', async () => {
  const server = await serve()
  const admin = await person(server)
  await mkdir(join(server.root, '.snapshots/1/snapshot'), { recursive: true })
  const { items } = json(await call(server, '/api/resources/', { token: admin.token }))
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['.snapshots'])
})
