import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { TrashPage } from '../../shared/api/trash.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { mayMount, mountBind, mountBtrfs, mountOverlay, mountSmallDisk, unmount } from '../api/disks.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { snapshot } from '../api/snapshot.ts'
import { EVERYTHING, PASSWORD, populate } from './people.ts'

const trashOf = async (server: OwnServer, { token }: Person): Promise<TrashPage> =>
  json(await call(server, '/api/trash', { token }))

const restore = async (server: OwnServer, { token }: Person, id: string | undefined) => {
  const body = JSON.stringify({ items: [{ id }] })
  const headers = { 'Content-Type': 'application/json' }
  return json(await call(server, '/api/trash/restore', { method: 'POST', token, headers, body })).results[0]
}

const postJob = (server: OwnServer, token: string, body: object) => {
  const headers = { 'Content-Type': 'application/json', Prefer: 'wait=20' }
  return call(server, '/api/jobs', { method: 'POST', token, headers, body: JSON.stringify(body) })
}

const areaIn = async (root: string) => (await readdir(root)).find(name => name.startsWith('.filigree-')) ?? ''

test('HIST-02 a server that is killed in the middle of deletions loses nothing: each thing is in its place or in the trash', async () => {
  const first = await serve()
  const names = Array.from({ length: 200 }, (_, index) => `f${index}`)
  for (const name of names) await writeFile(join(first.root, name), name)
  const admin = await person(first)
  const removals = names.map(name =>
    admin
      .remove(`/${name}`)
      .then(({ status }) => status)
      .catch(() => 0),
  )
  await pause(150)
  await first.end('SIGKILL')
  const answers = await Promise.all(removals)
  const second = await serve({ home: first.home })
  const again = await person(second)
  await expect
    .poll(async () => {
      const inTrash = (await trashOf(second, again)).count
      const standing = (await readdir(second.root)).filter(name => name.startsWith('f')).length
      return inTrash + standing
    })
    .toBe(names.length)
  const inTrash = new Set((await trashOf(second, again)).items.map(({ name }) => name))
  for (const [index, name] of names.entries()) if (answers[index] === 204) expect(inTrash).toContain(name)
  for (const { id, name } of (await trashOf(second, again)).items) {
    expect((await restore(second, again, id)).state).toBe('done')
    expect(await readFile(join(second.root, name), 'utf8')).toBe(name)
  }
})

test('TRASH-11 what is in the trash is found by no path and no search', async () => {
  const server = await serve({ args: ['--nameIndex', 'always', '--disableExec=false', '--execSandbox=none'] })
  await mkdir(join(server.root, 'docs'))
  await writeFile(join(server.root, 'docs/needle.txt'), 'needle in the content')
  await writeFile(join(server.root, 'stays.txt'), 'stays')
  const admin = await person(server)
  const { token } = admin
  expect((await admin.remove('/docs')).status).toBe(204)
  const area = await areaIn(server.root)
  expect(area).not.toBe('')
  const [kept = ''] = await readdir(join(server.root, area, 'trash/files'))
  const get = (path: string) => call(server, path, { token })
  const names = json(await admin.get('/')).items.map((item: { name: string }) => item.name)
  expect(names).toEqual(['stays.txt'])
  for (const path of [`/${area}`, `/${area}/`, `/${area}/README.txt`, `/${area}/trash/files/${kept}/needle.txt`]) {
    expect((await admin.get(path)).status).toBe(404)
    expect((await admin.raw(path)).status).toBe(404)
    expect((await get(`/api/preview/thumb${encode(path)}`)).status).toBe(404)
  }
  expect((await admin.put(`/${area}/new.txt`, 'new')).status).toBe(400)
  expect((await admin.remove(`/${area}`)).status).toBe(404)
  expect((await get('/api/search/?query=needle')).text).not.toContain('needle.txt')
  expect((await get('/api/resources/recursive/')).text).not.toContain(area)
  expect((await get('/api/sizes/')).text).not.toContain(area)
  expect((await get('/api/raw/?algo=tar')).bytes.includes(Buffer.from('needle'))).toBe(false)
})

test.runIf(mayMount())('TRASH-10 a folder that holds another disk stays, and the answer names the disk', async () => {
  const server = await serve()
  const disk = join(server.root, 'photos/nas')
  mountSmallDisk(disk, 2 ** 20)
  onTestFinished(() => void unmount(disk))
  await writeFile(join(disk, 'a.txt'), 'a')
  const { token } = await person(server)
  for (const path of ['/api/resources/photos', '/api/resources/photos/nas', '/api/resources/photos?permanent=true']) {
    const headers = { Accept: 'application/json' }
    const answer = await call(server, path, { method: 'DELETE', token, headers })
    expect(answer.status).toBe(503)
    expect(json(answer)).toEqual({ code: 'unavailable', mounts: ['/photos/nas'] })
    expect((await call(server, path, { method: 'DELETE', token })).text).toBe('503 Service Unavailable\n')
  }
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('a')
  expect((await call(server, '/api/resources/photos/nas/a.txt', { method: 'DELETE', token })).status).toBe(204)
  expect(await readdir(join(disk, await areaIn(disk), 'trash/files'))).toHaveLength(1)
})

test.runIf(mayMount())(
  'TRASH-10 a folder that is shown in a second place keeps there what is deleted there',
  async () => {
    const server = await serve()
    const [source, second] = [join(server.root, 'source'), join(server.root, 'docs/second')]
    await mkdir(source)
    expect(mountBind(source, second)).toBe(true)
    onTestFinished(() => void unmount(second))
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(source, name), name)
    const admin = await person(server)
    for (const path of ['/docs', '/docs/second']) {
      for (const query of ['', '?permanent=true']) expect((await admin.remove(path, query)).status).toBe(503)
    }
    expect((await readdir(source)).sort()).toEqual(['a.txt', 'b.txt'])
    expect((await admin.remove('/docs/second/a.txt')).status).toBe(204)
    expect((await admin.remove('/source/b.txt')).status).toBe(204)
    const namesIn = async (path: string) => json(await admin.get(path)).items.map(({ name }: { name: string }) => name)
    expect([await namesIn('/source'), await namesIn('/docs/second')]).toEqual([[], []])
    const { items } = await trashOf(server, admin)
    expect(items.map(({ path }) => path).sort()).toEqual(['/docs/second/a.txt', '/source/b.txt'])
    for (const { id } of items) expect(await restore(server, admin, id)).toMatchObject({ state: 'done' })
    for (const name of ['a.txt', 'b.txt']) expect(await readFile(join(source, name), 'utf8')).toBe(name)
  },
)

/** Runs a test on a disk in a folder of its own, where one can be mounted. */
async function onDisk(mount: (folder: string, place: string) => boolean, act: (root: string) => Promise<void>) {
  const place = await mkdtemp(join(tmpdir(), 'trash-disk-'))
  const root = join(place, 'root')
  const mounted = mount(root, place)
  try {
    if (mounted) await act(root)
  } finally {
    for (const mount of [root, join(place, 'work')]) unmount(mount)
    await rm(place, { recursive: true, force: true })
  }
}

test.runIf(mayMount())('TRASH-10 a Btrfs subvolume has an area of its own, and stays while that holds items', () =>
  onDisk(
    folder => mountBtrfs(folder, 'sub'),
    async root => {
      const server = await startServer({ root })
      try {
        const admin = await person(server)
        await writeFile(join(root, 'sub/a.txt'), 'a')
        expect((await admin.remove('/sub/a.txt')).status).toBe(204)
        expect(await readdir(join(root, 'sub', await areaIn(join(root, 'sub')), 'trash/files'))).toHaveLength(1)
        expect((await admin.remove('/sub')).status).toBe(503)
        expect((await admin.remove('/sub', '?permanent=true')).status).toBe(503)
        const [{ id } = { id: '' }] = (await trashOf(server, admin)).items
        expect(await restore(server, admin, id)).toMatchObject({ state: 'done', to: '/sub/a.txt' })
        expect((await admin.remove('/sub')).status).toBe(204)
        const [sub] = (await trashOf(server, admin)).items
        expect(await restore(server, admin, sub?.id)).toMatchObject({ state: 'done', to: '/sub' })
        expect(await readFile(join(root, 'sub/a.txt'), 'utf8')).toBe('a')
      } finally {
        await server.stop()
      }
    },
  ),
)

test.runIf(mayMount())('TRASH-10 a folder that its file system does not rename stays, with no_trash', () =>
  onDisk(
    (folder, place) => {
      mkdirSync(join(place, 'lower/docs'), { recursive: true })
      writeFileSync(join(place, 'lower/docs/a.txt'), 'seven B')
      symlinkSync('a.txt', join(place, 'lower/docs/link'))
      utimesSync(join(place, 'lower/docs'), 1e9, 1e9)
      mkdirSync(join(place, 'lower/small'))
      return (
        mountSmallDisk(join(place, 'work'), 2 ** 20) && mountOverlay(folder, join(place, 'lower'), join(place, 'work'))
      )
    },
    async root => {
      const server = await startServer({ root, args: ['--trashCopyBytes', '6'] })
      try {
        const admin = await person(server)
        const { token } = admin
        const before = await snapshot(join(root, 'docs'))
        const headers = { Accept: 'application/json' }
        const refused = await call(server, '/api/resources/docs', { method: 'DELETE', token, headers })
        expect([refused.status, json(refused)]).toEqual([409, { code: 'too_far', bytes: 7 }])
        expect(await snapshot(join(root, 'docs'))).toEqual(before)
        expect((await trashOf(server, admin)).count).toBe(0)
        const order = (more: object) => ({ kind: 'delete', items: [{ from: '/docs' }], ...more })
        const job = async (more: object) => json(await postJob(server, token, order(more)))
        expect((await job({})).items).toMatchObject([{ state: 'failed', code: 'too_far' }])
        const [{ state, kept }] = (await job({ copy: true })).items
        expect(state).toBe('done')
        await expect(readdir(join(root, 'docs'))).rejects.toThrow()
        expect((await restore(server, admin, kept)).state).toBe('done')
        expect(await snapshot(join(root, 'docs'))).toEqual(before)
        expect((await admin.remove('/small')).status).toBe(204)
        expect((await trashOf(server, admin)).items.map(({ path }) => path)).toEqual(['/small'])
      } finally {
        await server.stop()
      }
    },
  ),
)

test('TRASH-01 without a trash a deletion is permanent, and the trash is unsupported', async () => {
  const server = await serve({ args: ['--trash', 'off'] })
  await writeFile(join(server.root, 'a.txt'), 'a')
  const admin = await person(server)
  const answer = await admin.remove('/a.txt')
  expect([answer.status, answer.headers.get('X-Kept')]).toEqual([204, null])
  expect(await snapshot(server.root)).toEqual({})
  expect((await call(server, '/api/trash', { token: admin.token })).status).toBe(501)
})

test('TRASH-01 where the client chooses, only one that asks for the trash gets it', async () => {
  const server = await serve({ args: ['--trash', 'choice'] })
  for (const name of ['a', 'b']) await writeFile(join(server.root, name), name)
  const admin = await person(server)
  await admin.remove('/a')
  const headers = { 'X-Trash': '1' }
  await call(server, '/api/resources/b', { method: 'DELETE', token: admin.token, headers })
  expect((await trashOf(server, admin)).items.map(({ name }) => name)).toEqual(['b'])
})

/** What is below a folder, by path: the same inode has the same content and the same attributes. */
function objectsIn(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name)
    const { ino, nlink, mode, size, mtimeNs, uid, gid } = lstatSync(path, { bigint: true })
    const target = (mode & 0o170000n) === 0o120000n ? readlinkSync(path) : ''
    found.set(name, [ino, nlink, mode, size, mtimeNs, uid, gid, target].join(' '))
  }
  return found
}

test('TRASH-02 a folder of 10 000 files comes back with every name, time, mode, link and hard link', async () => {
  const server = await serve()
  const top = join(server.root, 'tree')
  for (let folder = 0; folder < 100; folder += 1) {
    const at = (name: string) => join(top, String(folder), name)
    mkdirSync(at(''), { recursive: true })
    for (let file = 0; file < 100; file += 1) {
      writeFileSync(at(`${file}`), `${folder}/${file}`, { mode: file % 3 === 0 ? 0o600 : 0o754 })
      utimesSync(at(`${file}`), 1e9, 1e9 + folder * 100 + file + 0.25)
    }
    symlinkSync('0', at('link'))
    symlinkSync('/nowhere', at('torn link'))
    linkSync(at('1'), at('other name of 1'))
    linkSync(at('2'), join(top, `2 of ${folder}`))
    chmodSync(at(''), folder % 2 === 0 ? 0o750 : 0o2775)
    utimesSync(at(''), 1e9, 1e9 + folder)
  }
  const before = objectsIn(top)
  const admin = await person(server)
  expect((await admin.remove('/tree')).status).toBe(204)
  const [{ id } = { id: '' }] = (await trashOf(server, admin)).items
  expect((await restore(server, admin, id)).state).toBe('done')
  const after = objectsIn(top)
  expect([...after].filter(([name, object]) => before.get(name) !== object)).toEqual([])
  expect([after.size, before.size]).toEqual([10_500, 10_500])
})

const withAnn = ({ database }: { database: string }) =>
  populate(database, { people: [{ name: 'ann', may: EVERYTHING }] })

const remove = (server: OwnServer, { token }: Person, path: string, headers = {}) =>
  call(server, `/api/resources${path}`, { method: 'DELETE', token, headers })

test('in a folder of --trashSkip deletions are permanent, and a client that only wants the trash is refused', async () => {
  const server = await serve({ args: ['--trashSkip', '/backups, /tmp'] })
  await mkdir(join(server.root, 'backups'))
  for (const name of ['backups/a', 'backups/b', 'backups-not', 'tmp']) await writeFile(join(server.root, name), name)
  const admin = await person(server)
  const refused = await remove(server, admin, '/backups/a', { 'X-Trash': '1' })
  expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'no_trash'])
  const answers: unknown[] = []
  for (const path of ['/backups/a', '/backups/b', '/backups-not', '/backups']) {
    const { status, headers } = await remove(server, admin, path)
    answers.push([path, status, headers.get('X-Kept') === null ? 'for good' : 'kept'])
  }
  expect(answers).toEqual([
    ['/backups/a', 204, 'for good'],
    ['/backups/b', 204, 'for good'],
    ['/backups-not', 204, 'kept'],
    ['/backups', 204, 'kept'],
  ])
  const items = JSON.stringify({ kind: 'delete', items: [{ from: '/tmp' }] })
  const headers = { 'Content-Type': 'application/json', Prefer: 'wait=20' }
  const job = json(await call(server, '/api/jobs', { method: 'POST', token: admin.token, headers, body: items }))
  expect(job.items[0].kept).toMatch(/^[0-9a-z]{26}$/)
})

test('a job that a client wants to use only the trash deletes nothing for good', async () => {
  const server = await serve({ args: ['--trashSkip', '/backups'] })
  await mkdir(join(server.root, 'backups'))
  await writeFile(join(server.root, 'backups/a'), 'a')
  const { token } = await person(server)
  const body = JSON.stringify({ kind: 'delete', items: [{ from: '/backups/a' }] })
  const headers = { 'Content-Type': 'application/json', Prefer: 'wait=20', 'X-Trash': '1' }
  const job = json(await call(server, '/api/jobs', { method: 'POST', token, headers, body }))
  expect(job.items).toMatchObject([{ state: 'failed', code: 'no_trash' }])
  expect(await readFile(join(server.root, 'backups/a'), 'utf8')).toBe('a')
})

test('with --permanentDelete=admins other users delete nothing for good', async () => {
  const server = await serve({ args: ['--permanentDelete', 'admins'], prepare: withAnn })
  for (const name of ['a', 'b']) await writeFile(join(server.root, name), name)
  const ann = await person(server, 'ann', PASSWORD)
  expect((await remove(server, ann, '/a?permanent=true')).status).toBe(403)
  const { headers } = await remove(server, ann, '/a')
  const body = JSON.stringify({ ids: [headers.get('X-Kept')] })
  const purge = ({ token }: Person) =>
    call(server, '/api/trash/purge', { method: 'POST', token, headers: { 'Content-Type': 'application/json' }, body })
  expect(json(await purge(ann)).results).toMatchObject([{ state: 'failed', code: 'forbidden' }])
  const admin = await person(server)
  expect(json(await purge(admin)).results).toMatchObject([{ state: 'done' }])
  expect((await remove(server, admin, '/b?permanent=true')).status).toBe(204)
})

test('with --trashSeenBy=own users see what they deleted themselves, and administrators everything', async () => {
  const server = await serve({ args: ['--trashSeenBy', 'own'], prepare: withAnn })
  for (const name of ['a', 'b']) await writeFile(join(server.root, name), name)
  const [admin, ann] = [await person(server), await person(server, 'ann', PASSWORD)]
  const { headers } = await remove(server, admin, '/a')
  await remove(server, ann, '/b')
  const namesOf = async (who: Person) => (await trashOf(server, who)).items.map(({ name }) => name)
  expect([await namesOf(ann), await namesOf(admin)]).toEqual([['b'], ['b', 'a']])
  expect((await trashOf(server, ann)).count).toBe(1)
  expect(await restore(server, ann, headers.get('X-Kept') ?? '')).toMatchObject({ state: 'failed', code: 'not_found' })
})
