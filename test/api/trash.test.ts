import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { KeptItem, TrashPage, TrashResult } from '../../shared/api/trash.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, WITH_TRASH } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { linkTo, load } from './links-client.ts'
import { openWithGrounds } from './mounted-instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { snapshot } from './snapshot.ts'

const { wire, grounds } = await openWithGrounds(WITH_TRASH)
const admin = await person(wire)

const post = (who: Person, path: string, body: unknown): Promise<Answer> =>
  call(wire, path, {
    method: 'POST',
    token: who.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const restore = async (who: Person, items: object[], more: object = {}): Promise<TrashResult[]> =>
  json(await post(who, '/api/trash/restore', { items, ...more })).results
const purge = async (who: Person, body: object): Promise<TrashResult[]> =>
  json(await post(who, '/api/trash/purge', body)).results
const trashOf = async (who: Person, query = ''): Promise<TrashPage> =>
  json(await call(wire, `/api/trash${query}`, { token: who.token }))
const itemsIn = async (who: Person, folder: string): Promise<KeptItem[]> =>
  (await trashOf(who, `?folder=${encodeURIComponent(folder)}`)).items
const show = (who: Person, path: string, query = '') => call(wire, `/api/trash${path}${query}`, { token: who.token })

const move = (who: Person, from: string, to: string): Promise<Answer> =>
  call(wire, `/api/resources${encode(from)}?${new URLSearchParams({ action: 'rename', destination: encode(to) })}`, {
    method: 'PATCH',
    token: who.token,
  })

/** Deletes a path, which must go to the trash. @returns the id of the thing there */
async function trash(who: Person, path: string): Promise<string> {
  const answer = await who.remove(path)
  const id = answer.headers.get('X-Kept')
  if (answer.status !== 204 || !id) throw new Error(`${path} was not kept: ${answer.status} ${answer.text}`)
  return id
}

describe.each(grounds)('$where', ({ corner }) => {
  test('TRASH-01 a deleted file frees its name, is listed in the trash, and comes back as it was', async () => {
    const { path, disk } = await corner()
    await writeFile(join(disk, 'a.txt'), 'content')
    const before = await stat(join(disk, 'a.txt'), { bigint: true })
    const id = await trash(admin, `${path}/a.txt`)
    expect(await snapshot(disk)).toEqual({})
    const [item] = await itemsIn(admin, path)
    expect(item).toMatchObject({
      id,
      name: 'a.txt',
      path: `${path}/a.txt`,
      isDir: false,
      size: 7,
      by: 'admin',
      mine: true,
    })
    expect(await restore(admin, [{ id }])).toEqual([{ id, state: 'done', to: `${path}/a.txt` }])
    const after = await stat(join(disk, 'a.txt'), { bigint: true })
    expect([after.ino, after.mtimeNs, after.mode]).toEqual([before.ino, before.mtimeNs, before.mode])
    expect(await itemsIn(admin, path)).toEqual([])
    expect(await restore(admin, [{ id }])).toEqual([{ id, state: 'failed', code: 'not_found' }])
  })

  test('a permanent delete leaves nothing in the trash', async () => {
    const { path, disk } = await corner()
    await writeFile(join(disk, 'a.txt'), 'content')
    const address = `/api/resources${encode(`${path}/a.txt`)}?permanent=true`
    const answer = await call(wire, address, { method: 'DELETE', token: admin.token })
    expect([answer.status, answer.headers.get('X-Kept')]).toEqual([204, null])
    expect(await itemsIn(admin, path)).toEqual([])
  })

  test('a job deletes into the trash, and for good where it is asked to', async () => {
    const { path, disk } = await corner()
    for (const name of ['a', 'b']) await writeFile(join(disk, name), name)
    const jobs = jobsOf(wire, admin)
    const job = await jobs.run({ kind: 'delete', items: [{ from: `${path}/a` }] })
    const [kept] = await itemsIn(admin, path)
    expect(job.items).toEqual([{ from: `${path}/a`, state: 'done', kept: kept?.id }])
    await jobs.run({ kind: 'delete', permanent: true, items: [{ from: `${path}/b` }] })
    expect((await itemsIn(admin, path)).map(({ name }) => name)).toEqual(['a'])
  })

  test('TRASH-05 a missing parent is made again, and a file in its place refuses the restore', async () => {
    const { path, disk } = await corner()
    await mkdir(join(disk, 'docs/deep'), { recursive: true })
    await writeFile(join(disk, 'docs/deep/a.txt'), 'a')
    const file = await trash(admin, `${path}/docs/deep/a.txt`)
    await trash(admin, `${path}/docs`)
    await writeFile(join(disk, 'docs'), 'a file now')
    expect(await restore(admin, [{ id: file }])).toEqual([{ id: file, state: 'failed', code: 'not_a_folder' }])
    await admin.remove(`${path}/docs`)
    expect(await restore(admin, [{ id: file }])).toEqual([{ id: file, state: 'done', to: `${path}/docs/deep/a.txt` }])
    expect(await readFile(join(disk, 'docs/deep/a.txt'), 'utf8')).toBe('a')
  })

  test('TRASH-05 a file comes back in its folder, wherever that was moved since', async () => {
    const { path, disk } = await corner()
    await mkdir(join(disk, 'docs/deep'), { recursive: true })
    for (const name of ['a', 'b', 'c']) await writeFile(join(disk, 'docs/deep', name), name)
    const [a, b, c] = [
      await trash(admin, `${path}/docs/deep/a`),
      await trash(admin, `${path}/docs/deep/b`),
      await trash(admin, `${path}/docs/deep/c`),
    ]
    await move(admin, `${path}/docs/deep`, `${path}/docs/below`)
    await move(admin, `${path}/docs`, `${path}/papers`)
    await mkdir(join(disk, 'docs/deep'), { recursive: true })
    expect(await restore(admin, [{ id: a }])).toEqual([{ id: a, state: 'done', to: `${path}/papers/below/a` }])
    const folder = await trash(admin, `${path}/papers`)
    await restore(admin, [{ id: folder, to: `${path}/books` }])
    expect(await restore(admin, [{ id: b }])).toEqual([{ id: b, state: 'done', to: `${path}/books/below/b` }])
    await rename(join(disk, 'books'), join(disk, 'elsewhere'))
    expect(await restore(admin, [{ id: c }])).toEqual([{ id: c, state: 'done', to: `${path}/docs/deep/c` }])
    expect(Object.keys(await snapshot(disk)).filter(name => /\/[abc]$/.test(name))).toEqual([
      'docs/deep/c',
      'elsewhere/below/a',
      'elsewhere/below/b',
    ])
  })

  test('TRASH-05 a folder that was deleted after its file is made again, also where another one is now', async () => {
    const { path, disk } = await corner()
    for (const name of ['docs', 'other']) await mkdir(join(disk, name))
    await writeFile(join(disk, 'docs/a'), 'a')
    const id = await trash(admin, `${path}/docs/a`)
    await trash(admin, `${path}/docs`)
    await move(admin, `${path}/other`, `${path}/docs`)
    await move(admin, `${path}/docs`, `${path}/elsewhere`)
    expect(await restore(admin, [{ id }])).toEqual([{ id, state: 'done', to: `${path}/docs/a` }])
  })

  test('TRASH-05 a file and then its folder are restored in both orders', async () => {
    const { path, disk } = await corner()
    for (const first of [0, 1]) {
      await mkdir(join(disk, 'docs'))
      for (const name of ['a', 'b']) await writeFile(join(disk, 'docs', name), name)
      const ids = [await trash(admin, `${path}/docs/a`), await trash(admin, `${path}/docs`)]
      const order = first === 0 ? ids : ids.toReversed()
      const results = await restore(
        admin,
        order.map(id => ({ id })),
      )
      expect(results.map(({ state }) => state)).toEqual(['done', 'done'])
      expect(Object.keys(await snapshot(disk)).sort()).toEqual(['docs', 'docs/a', 'docs/b'])
      await call(wire, `/api/resources${encode(`${path}/docs`)}?permanent=true`, {
        method: 'DELETE',
        token: admin.token,
      })
    }
  })

  test('TRASH-05 a taken name is numbered, replaced into the trash, or skipped', async () => {
    const { path, disk } = await corner()
    const file = (name: string) => readFile(join(disk, name), 'utf8')
    await writeFile(join(disk, 'a.txt'), 'old')
    const id = await trash(admin, `${path}/a.txt`)
    await writeFile(join(disk, 'a.txt'), 'new')
    expect(await restore(admin, [{ id }], { conflict: 'skip' })).toEqual([{ id, state: 'skipped' }])
    expect(await restore(admin, [{ id }])).toEqual([{ id, state: 'done', to: `${path}/a(1).txt` }])
    expect([await file('a.txt'), await file('a(1).txt')]).toEqual(['new', 'old'])
    const again = await trash(admin, `${path}/a(1).txt`)
    const items = [{ id: again, to: `${path}/a.txt` }]
    expect((await restore(admin, items, { choices: { [`${path}/a.txt`]: 'replace' } }))[0]?.state).toBe('done')
    expect(await file('a.txt')).toBe('old')
    const [replaced] = await itemsIn(admin, path)
    expect((await show(admin, `/raw/${replaced?.id}`)).text).toBe('new')
  })

  test('TRASH-05 a part of a folder is restored, and later the rest merges with it', async () => {
    const { path, disk } = await corner()
    await mkdir(join(disk, 'docs/deep'), { recursive: true })
    for (const name of ['docs/a', 'docs/deep/b', 'docs/deep/c']) await writeFile(join(disk, name), name)
    const id = await trash(admin, `${path}/docs`)
    const part = await restore(admin, [{ id, inner: '/deep/b' }])
    expect(part).toEqual([{ id, state: 'done', to: `${path}/docs/deep/b` }])
    expect(Object.keys(await snapshot(disk))).toEqual(['docs', 'docs/deep', 'docs/deep/b'])
    expect(await restore(admin, [{ id }])).toEqual([{ id, state: 'done', to: `${path}/docs` }])
    expect(Object.keys(await snapshot(disk)).sort()).toEqual([
      'docs',
      'docs/a',
      'docs/deep',
      'docs/deep/b',
      'docs/deep/c',
    ])
    expect(await itemsIn(admin, path)).toEqual([])
  })

  test('a folder in the trash is listed and read with the paths that its entries had', async () => {
    const { path, disk } = await corner()
    await mkdir(join(disk, 'docs/deep'), { recursive: true })
    await writeFile(join(disk, 'docs/deep/a.txt'), 'content')
    const id = await trash(admin, `${path}/docs`)
    const listing = json(await show(admin, `/items/${id}/deep`))
    expect([listing.path, listing.name, listing.isDir]).toEqual([`${path}/docs/deep`, 'deep', true])
    expect(listing.items.map((item: { path: string }) => item.path)).toEqual([`${path}/docs/deep/a.txt`])
    const file = json(await show(admin, `/items/${id}/deep/a.txt`))
    expect(file).toMatchObject({ path: `${path}/docs/deep/a.txt`, size: 7, kept: { id, name: 'docs' } })
    expect((await show(admin, `/raw/${id}/deep/a.txt`)).text).toBe('content')
    expect((await show(admin, `/items/${id}/none`)).status).toBe(404)
    expect((await show(admin, '/items/01aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404)
  })

  test('TRASH-09 links come back as links, wherever they lead, alone and out of a folder', async () => {
    const { path, disk } = await corner()
    await mkdir(join(disk, 'docs'))
    await writeFile(join(disk, 'target.txt'), 'target')
    const targets = { dangling: 'nothing', sibling: 'target.txt', away: '/etc' }
    for (const [name, target] of Object.entries(targets)) {
      await symlink(target, join(disk, name))
      await symlink(target, join(disk, 'docs', name))
    }
    const linksIn = async () => Object.entries(await snapshot(disk)).filter(([, what]) => what.startsWith('link'))
    const before = await linksIn()
    const ids = await Promise.all(Object.keys(targets).map(name => trash(admin, `${path}/${name}`)))
    for (const id of ids) expect(await restore(admin, [{ id }])).toMatchObject([{ state: 'done' }])
    const id = await trash(admin, `${path}/docs`)
    for (const name of Object.keys(targets))
      expect(await restore(admin, [{ id, inner: `/${name}` }])).toMatchObject([{ state: 'done' }])
    expect(await restore(admin, [{ id }])).toMatchObject([{ state: 'done' }])
    expect(before).toHaveLength(6)
    expect(await linksIn()).toEqual(before)
  })

  test('TRASH-06 twenty files of one name, deleted at once, are all kept and all come back', async () => {
    const { path, disk } = await corner()
    const folders = Array.from({ length: 20 }, (_, index) => `f${index}`)
    for (const folder of folders) {
      await mkdir(join(disk, folder))
      await writeFile(join(disk, folder, 'same.txt'), folder)
    }
    const ids = await Promise.all(folders.map(folder => trash(admin, `${path}/${folder}/same.txt`)))
    expect(new Set(ids).size).toBe(20)
    const results = await restore(
      admin,
      ids.map(id => ({ id })),
    )
    expect(results.map(({ state }) => state)).toEqual(folders.map(() => 'done'))
    for (const folder of folders) expect(await readFile(join(disk, folder, 'same.txt'), 'utf8')).toBe(folder)
  })

  test('TRASH-09 things with odd names come back under the same names', async () => {
    const { path, disk } = await corner()
    const names = [
      'a\nb',
      'x'.repeat(255),
      '~',
      '50%',
      '.hidden',
      '\u{1f600}',
      'é',
      'e\u0301',
      'a.trashinfo',
      '.txt',
      'a.b~c',
    ]
    for (const name of names) await writeFile(join(disk, name), name)
    const ids: string[] = []
    for (const name of names) ids.push(await trash(admin, `${path}/${name}`))
    expect(await snapshot(disk)).toEqual({})
    await restore(
      admin,
      ids.map(id => ({ id })),
    )
    expect((await readdir(disk)).sort()).toEqual(names.toSorted())
  })

  test('TRASH-09 a name that is no UTF-8 comes back with the same bytes, also out of a deleted folder', async () => {
    const { path, disk } = await corner()
    const bytes = Buffer.from('caf\u00e9.txt', 'latin1')
    const onDisk = (folder: string) => Buffer.concat([Buffer.from(`${folder}/`), bytes])
    await mkdir(join(disk, 'in'))
    for (const folder of [disk, join(disk, 'in')]) await writeFile(onDisk(folder), folder)
    const headers = { method: 'DELETE', token: admin.token }
    const alone = await call(wire, `/api/resources${encode(path)}/caf%E9.txt`, headers)
    expect(alone.status).toBe(204)
    const folder = await trash(admin, `${path}/in`)
    expect(await readdir(disk)).toEqual([])
    for (const id of [alone.headers.get('X-Kept') ?? '', folder])
      expect(await restore(admin, [{ id }])).toMatchObject([{ state: 'done' }])
    for (const folder of [disk, join(disk, 'in')]) expect(await readFile(onDisk(folder), 'utf8')).toBe(folder)
  })

  test('TRASH-12 of a restore and a purge at once, one wins', async () => {
    const { path, disk } = await corner()
    for (let round = 0; round < 10; round += 1) {
      await writeFile(join(disk, 'a.txt'), 'a')
      const id = await trash(admin, `${path}/a.txt`)
      const [restored, purged] = await Promise.all([restore(admin, [{ id }]), purge(admin, { ids: [id] })])
      expect([restored[0]?.state, purged[0]?.state].sort()).toEqual(['done', 'failed'])
      const stands = Object.keys(await snapshot(disk)).length === 1
      expect(stands).toBe(restored[0]?.state === 'done')
    }
  })
})

test('TRASH-01 a share link of a deleted file serves nothing and is not listed, until the file is restored', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'shared')
  const { hash } = await linkTo(wire, admin.token, `${path}/a.txt`)
  const hashes = async () =>
    json(await call(wire, '/api/shares', { token: admin.token })).map((link: { hash: string }) => link.hash)
  const id = await trash(admin, `${path}/a.txt`)
  expect((await load(wire, hash)).status).toBe(404)
  expect(await hashes()).not.toContain(hash)
  await writeFile(join(disk, 'a.txt'), 'another')
  expect((await load(wire, hash)).status).toBe(404)
  await restore(admin, [{ id, to: `${path}/b.txt` }])
  expect((await load(wire, hash)).text).toBe('shared')
  expect(await hashes()).toContain(hash)
})

test('a share link ends with the purge of its target', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'docs'))
  await writeFile(join(disk, 'docs/a.txt'), 'shared')
  const { hash } = await linkTo(wire, admin.token, `${path}/docs/a.txt`)
  const id = await trash(admin, `${path}/docs`)
  expect(await purge(admin, { ids: [id] })).toEqual([{ id, state: 'done' }])
  expect((await load(wire, hash)).status).toBe(404)
  expect(await purge(admin, { ids: [id] })).toEqual([{ id, state: 'failed', code: 'not_found' }])
})

const shared = uniqueName('shared')
const [owner, other, outsider, reader] = ['owner', 'other', 'outsider', 'reader'].map(uniqueName) as [
  string,
  string,
  string,
  string,
]
await mkdir(join(wire.root, shared, 'secret'), { recursive: true })
await enrol(wire, [
  { name: owner, may: EVERYTHING, scope: `/${shared}` },
  { name: other, may: EVERYTHING, scope: `/${shared}`, rules: [{ path: '/secret' }] },
  { name: outsider, may: EVERYTHING, scope: `/${shared}/secret` },
  { name: reader, may: ['download'], scope: `/${shared}` },
])

test('TRASH-04 the trash shows a thing to those who may see its old path, and only to them', async () => {
  const [mine, theirs, away] = await Promise.all([owner, other, outsider].map(name => person(wire, name, PASSWORD)))
  if (!mine || !theirs || !away) throw new Error('nobody')
  await writeFile(join(wire.root, shared, 'secret/a.txt'), 'secret')
  await writeFile(join(wire.root, shared, 'b.txt'), 'open')
  const secret = await trash(mine, '/secret/a.txt')
  const open = await trash(mine, '/b.txt')
  const seenBy = async (who: Person) => (await trashOf(who)).items.map(({ path }) => path)
  expect(await seenBy(mine)).toEqual(['/b.txt', '/secret/a.txt'])
  expect(await seenBy(theirs)).toEqual(['/b.txt'])
  expect(await seenBy(away)).toEqual(['/a.txt'])
  expect((await trashOf(theirs, '?mine=true')).items).toEqual([])
  expect((await trashOf(theirs)).count).toBe(1)
  expect((await show(theirs, `/items/${secret}`)).status).toBe(404)
  expect((await show(theirs, `/raw/${secret}`)).status).toBe(404)
  expect(await restore(theirs, [{ id: secret, to: '/mine.txt' }])).toEqual([
    { id: secret, state: 'failed', code: 'not_found' },
  ])
  expect(await purge(theirs, { ids: [secret] })).toEqual([{ id: secret, state: 'failed', code: 'not_found' }])
  expect(await purge(theirs, { ids: [open] })).toEqual([{ id: open, state: 'failed', code: 'forbidden' }])
  expect(await purge(theirs, { all: true })).toEqual([])
  expect(await restore(mine, [{ id: open, to: '/secret/b.txt' }])).toEqual([
    { id: open, state: 'done', to: '/secret/b.txt' },
  ])
  await purge(mine, { all: true })
})

test('TRASH-04 a folder that was moved out of sight receives nothing, and its new place is not shown', async () => {
  const [mine, theirs] = await Promise.all([owner, other].map(name => person(wire, name, PASSWORD)))
  if (!mine || !theirs) throw new Error('nobody')
  await mkdir(join(wire.root, shared, 'open'))
  for (const name of ['c.txt', 'd.txt']) await writeFile(join(wire.root, shared, 'open', name), name)
  const [c, d] = [await trash(mine, '/open/c.txt'), await trash(mine, '/open/d.txt')]
  await move(mine, '/open', '/secret/open')
  expect(await restore(theirs, [{ id: c }])).toEqual([{ id: c, state: 'done', to: '/open/c.txt' }])
  expect(await restore(mine, [{ id: d }])).toEqual([{ id: d, state: 'done', to: '/secret/open/d.txt' }])
})

test('TRASH-04 without the rights there is no restore and no purge, and a denied part holds back the whole', async () => {
  const [mine, theirs, looks] = await Promise.all([owner, other, reader].map(name => person(wire, name, PASSWORD)))
  if (!mine || !theirs || !looks) throw new Error('nobody')
  await mkdir(join(wire.root, shared, 'docs'))
  await writeFile(join(wire.root, shared, 'docs/a.txt'), 'a')
  const docs = await trash(mine, '/docs')
  expect((await trashOf(looks)).items).toHaveLength(1)
  expect(await restore(looks, [{ id: docs }])).toEqual([{ id: docs, state: 'failed', code: 'forbidden' }])
  expect(await purge(looks, { ids: [docs] })).toEqual([{ id: docs, state: 'failed', code: 'forbidden' }])
  expect(await restore(theirs, [{ id: docs, to: '/secret/docs' }])).toEqual([
    { id: docs, state: 'failed', code: 'forbidden' },
  ])
  await mkdir(join(wire.root, shared, 'secret'), { recursive: true })
  await writeFile(join(wire.root, shared, 'secret/c.txt'), 'c')
  const secret = await trash(mine, '/secret')
  expect(await restore(theirs, [{ id: secret, to: '/public' }])).toEqual([
    { id: secret, state: 'failed', code: 'not_found' },
  ])
  expect((await restore(mine, [{ id: secret }]))[0]?.state).toBe('done')
  await restore(mine, [{ id: docs }])
})

test('emptying deletes what was in the trash, and nothing else', async () => {
  const mine = await person(wire, owner, PASSWORD)
  await writeFile(join(wire.root, shared, 'e.txt'), 'e')
  const id = await trash(mine, '/e.txt')
  expect((await post(mine, '/api/trash/purge', {})).status).toBe(400)
  expect((await post(mine, '/api/trash/purge', { all: true, ids: [id] })).status).toBe(400)
  const before = new Date(Date.now() - 60_000).toISOString()
  expect(await purge(mine, { all: true, before })).toEqual([])
  expect(await purge(mine, { all: true, mine: true })).toEqual([{ id, state: 'done' }])
  expect((await trashOf(mine)).items).toEqual([])
})

test('emptying as a job deletes what was there when it began, and says what it freed', async () => {
  const mine = await person(wire, owner, PASSWORD)
  expect((await post(mine, '/api/trash/empty', { mine: true })).status).toBe(204)
  await mkdir(join(wire.root, shared, 'tree'))
  for (const name of ['one.txt', 'two.txt', 'tree/in.txt']) await writeFile(join(wire.root, shared, name), 'four')
  for (const name of ['/one.txt', '/two.txt', '/tree']) await trash(mine, name)
  const answer = await post(mine, '/api/trash/empty', { mine: true })
  expect(answer.status).toBe(202)
  const { id, kind, count } = json(answer)
  expect([kind, count.total, answer.headers.get('location')]).toEqual(['empty', 3, `${wire.base}/api/jobs/${id}`])
  await writeFile(join(wire.root, shared, 'later.txt'), 'later')
  const later = await trash(mine, '/later.txt')
  const job = async () => json(await call(wire, `/api/jobs/${id}`, { token: mine.token }))
  await expect.poll(async () => (await job()).state).toBe('done')
  expect(await job()).toMatchObject({ count: { done: 3, failed: 0 }, progress: { bytes: 8, entries: 3 } })
  expect((await trashOf(mine)).items.map(item => item.id)).toEqual([later])
  await purge(mine, { ids: [later] })
})

test('TRASH-12 of emptying twice at once while others delete and restore, every item has one end', async () => {
  const mine = await person(wire, owner, PASSWORD)
  const names = (kind: string) => Array.from({ length: 20 }, (_, index) => `${kind}-${index}.txt`)
  const put = async (name: string) => {
    await writeFile(join(wire.root, shared, name), name)
    return trash(mine, `/${name}`)
  }
  const old = await Promise.all(names('old').map(put))
  const wanted = await Promise.all(names('wanted').map(put))
  const [emptied, restored, later] = await Promise.all([
    Promise.all([1, 2].map(() => post(mine, '/api/trash/empty', { mine: true }))),
    Promise.all(wanted.map(async id => (await restore(mine, [{ id }]))[0]?.state)),
    Promise.all(names('later').map(put)),
  ])
  const jobs = jobsOf(wire, mine)
  const ended = await Promise.all(emptied.filter(({ status }) => status === 202).map(job => jobs.ended(json(job).id)))
  const left = (await trashOf(mine)).items.map(({ id }) => id)
  expect(left.filter(id => !later.includes(id))).toEqual([])
  const there = (await readdir(join(wire.root, shared))).filter(name => /^(?:old|wanted|later)-/.test(name))
  expect(there.sort()).toEqual(
    names('wanted')
      .filter((_, index) => restored[index] === 'done')
      .sort(),
  )
  const gone = old.length + wanted.length + later.length - there.length - left.length
  expect(ended.reduce((sum, { count }) => sum + count.done, 0)).toBe(gone)
  expect((await restore(mine, [{ id: old[0] }]))[0]).toMatchObject({ state: 'failed', code: 'not_found' })
  await purge(mine, { all: true, mine: true })
  for (const name of there) await rm(join(wire.root, shared, name))
})

test('callers without a session, and invalid bodies, are refused', async () => {
  expect((await call(wire, '/api/trash')).status).toBe(401)
  for (const path of ['/items/x', '/raw/x']) expect((await call(wire, `/api/trash${path}`)).status).toBe(401)
  for (const path of ['restore', 'purge', 'empty']) {
    expect((await call(wire, `/api/trash/${path}`, { method: 'POST' })).status).toBe(401)
    expect((await post(admin, `/api/trash/${path}`, { items: 'x', ids: 'x', mine: 'x' })).status).toBe(400)
  }
  expect((await call(wire, '/api/trash?folder=..', { token: admin.token })).status).toBe(400)
})
