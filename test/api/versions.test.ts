import { copyFile, mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { VersionItem, VersionsPage } from '../../shared/api/versions.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, KEEPS_DELETED } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { type Ground, openWithGrounds } from './mounted-instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const { wire, grounds } = await openWithGrounds()
const admin = await person(wire)
const own = await corner(wire)
const [NAME, READER] = [uniqueName('bob'), uniqueName('reader')]
await enrol(wire, [
  { name: NAME, may: EVERYTHING, scope: `${own.path}/shared` },
  { name: READER, may: EVERYTHING.filter(permission => permission !== 'modify'), scope: own.path },
])

const save = (who: Person, path: string, content: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(wire, `/api/resources${encode(path)}`, { method: 'PUT', token: who.token, body: content, headers })
const upload = (who: Person, path: string, content: string, query = '?override=true'): Promise<Answer> =>
  call(wire, `/api/resources${encode(path)}${query}`, { method: 'POST', token: who.token, body: content })
const versions = (who: Person, path: string): Promise<Answer> =>
  call(wire, `/api/versions${encode(path)}`, { token: who.token })
const pageOf = async (who: Person, path: string): Promise<VersionsPage> => json(await versions(who, path))
const itemsOf = async (who: Person, path: string): Promise<VersionItem[]> => (await pageOf(who, path)).items
const raw = (who: Person, id: string, query = ''): Promise<Answer> =>
  call(wire, `/api/kept/raw/${id}${query}`, { token: who.token })
const contents = async (who: Person, path: string): Promise<string[]> =>
  Promise.all((await itemsOf(who, path)).map(async ({ id }) => (await raw(who, id)).text))
const send = (who: Person, method: string, path: string, body: object, headers: Record<string, string> = {}) =>
  call(wire, path, {
    method,
    token: who.token,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const restore = (who: Person, path: string, body: object, headers?: Record<string, string>) =>
  send(who, 'POST', `/api/versions${encode(path)}`, body, headers)
const transfer = (who: Person, from: string, action: string, to: string, more = '') =>
  call(wire, `/api/resources${encode(from)}?action=${action}&destination=${encodeURIComponent(encode(to))}${more}`, {
    method: 'PATCH',
    token: who.token,
  })

const savedIn =
  (corner: Ground['corner']) =>
  async (contentsInOrder: string[], name = 'a.txt') => {
    const { path, disk } = await corner()
    await writeFile(join(disk, name), contentsInOrder[0] ?? '')
    for (const content of contentsInOrder.slice(1)) await save(admin, `${path}/${name}`, content)
    return { path: `${path}/${name}`, disk: join(disk, name), folder: path, home: disk }
  }

describe.each(grounds)('$where', ({ corner }) => {
  const saved = savedIn(corner)

  test('VERS-01 a saved file keeps what it was, with its time and mode', async () => {
    const { path, disk } = await saved(['one'])
    await utimes(disk, 1000, 2000)
    const before = await stat(disk)
    const answer = await save(admin, path, 'two')
    const { current, items, ...page } = await pageOf(admin, path)
    expect(page).toEqual({ more: false, mode: 'smart', supported: true, next: 'kept', canChange: true })
    expect(current).toMatchObject({ name: 'a.txt', path, size: 3, outside: false })
    expect(`"${current.version}"`).toBe(answer.headers.get('ETag'))
    expect(items).toEqual([
      {
        id: answer.headers.get('X-Kept'),
        name: 'a.txt',
        path,
        size: 3,
        modified: before.mtime.toISOString().replace('.000', ''),
        replaced: expect.any(String),
        by: 'admin',
        mine: true,
        reason: 'save',
        pinned: false,
        until: expect.any(String),
      },
    ])
    expect((await raw(admin, items[0]?.id ?? '')).text).toBe('one')
  })

  test('VERS-01 every way of overwriting keeps the content that gives way', async () => {
    const { path, folder, home } = await saved(['start'])
    await save(admin, path, 'saved')
    await upload(admin, path, 'uploaded')
    await writeFile(join(home, 'b.txt'), 'copied')
    const newest = async () => (await itemsOf(admin, path))[0]?.id
    const copied = await transfer(admin, `${folder}/b.txt`, 'copy', path, '&override=true')
    expect([copied.status, copied.headers.get('X-Kept')]).toEqual([200, await newest()])
    await writeFile(join(home, 'c.txt'), 'moved')
    const moved = await transfer(admin, `${folder}/c.txt`, 'rename', path, '&override=true')
    expect([moved.status, moved.headers.get('X-Kept')]).toEqual([200, await newest()])
    const tus = `/api/tus${encode(path)}`
    const begun = { method: 'POST', token: admin.token, headers: { 'Upload-Length': '3' } }
    expect((await call(wire, `${tus}?override=true`, begun)).status).toBe(201)
    const sent = await call(wire, tus, {
      method: 'PATCH',
      token: admin.token,
      headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' },
      body: 'tus',
    })
    expect([sent.status, (await itemsOf(admin, path))[0]?.id]).toEqual([204, sent.headers.get('X-Kept')])
    expect(await readFile(join(home, 'a.txt'), 'utf8')).toBe('tus')
    expect(await contents(admin, path)).toEqual(['moved', 'copied', 'uploaded', 'saved', 'start'])
    expect((await itemsOf(admin, path)).map(({ reason }) => reason)).toEqual([
      'upload',
      'move',
      'copy',
      'upload',
      'save',
    ])
  })

  test('VERS-01 a folder that merges into another one keeps each content, and its response names the only one', async () => {
    const { path, folder, home } = await saved(['one'])
    for (const name of ['from', 'into']) {
      await mkdir(join(home, name))
      await writeFile(join(home, name, 'a.txt'), name)
    }
    const merge = (action: string) => transfer(admin, `${folder}/from`, action, `${folder}/into`, '&override=true')
    const copied = await merge('copy')
    const [first] = await itemsOf(admin, `${folder}/into/a.txt`)
    expect([copied.status, copied.headers.get('X-Kept')]).toEqual([200, first?.id])
    for (const name of ['from', 'into']) await writeFile(join(home, name, 'b.txt'), name)
    const moved = await merge('rename')
    expect([moved.status, moved.headers.get('X-Kept')]).toEqual([200, null])
    expect(await contents(admin, `${folder}/into/b.txt`)).toEqual(['into'])
    const job = {
      kind: 'copy' as const,
      items: [{ from: path, to: `${folder}/into/a.txt` }],
      conflict: 'replace' as const,
    }
    const { items } = await jobsOf(wire, admin).run(job)
    expect(items?.[0]?.kept).toBe((await itemsOf(admin, `${folder}/into/a.txt`))[0]?.id)
  })

  test('VERS-01 an archive that is extracted over a file keeps it', async () => {
    const { path, folder, home } = await saved(['old'])
    const jobs = jobsOf(wire, admin)
    await jobs.run({ kind: 'archive', items: [{ from: path }], archive: { to: `${folder}/a.zip`, format: 'zip' } })
    await writeFile(join(home, 'a.txt'), 'newer')
    await jobs.run({ kind: 'extract', items: [{ from: `${folder}/a.zip`, to: folder }], conflict: 'replace' })
    expect(await readFile(join(home, 'a.txt'), 'utf8')).toBe('old')
    expect(await contents(admin, path)).toEqual(['newer'])
    expect((await itemsOf(admin, path))[0]?.reason).toBe('extract')
  })

  test('a new file has no versions, and a folder cannot have any', async () => {
    const { path, folder } = await saved(['one'])
    const answer = await upload(admin, `${folder}/new.txt`, 'new', '')
    expect([answer.status, answer.headers.get('X-Kept')]).toEqual([200, null])
    expect(await itemsOf(admin, `${folder}/new.txt`)).toEqual([])
    expect((await versions(admin, folder)).status).toBe(409)
    expect((await versions(admin, `${path}.missing`)).status).toBe(404)
  })

  test('a restored version is the content again, with the time of now; the content before is a version', async () => {
    const { path, disk } = await saved(['one', 'two'])
    const [first] = await itemsOf(admin, path)
    const before = Date.now() - 2000
    const answer = await restore(admin, path, { id: first?.id, how: 'replace' })
    expect([answer.status, json(answer)]).toEqual([200, { path, kept: answer.headers.get('X-Kept') }])
    expect(await readFile(disk, 'utf8')).toBe('one')
    expect((await stat(disk)).mtimeMs).toBeGreaterThan(before)
    expect(await contents(admin, path)).toEqual(['two', 'one'])
    expect((await itemsOf(admin, path))[0]?.reason).toBe('restore')
  })

  test('VERS-02 of two savers with one ETag one succeeds, and what both began with is a version', async () => {
    const { path } = await saved(['base'])
    const { current } = await pageOf(admin, path)
    const ifMatch = { 'If-Match': `"${current.version}"` }
    const answers = await Promise.all(['one', 'two'].map(content => save(admin, path, content, ifMatch)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
    expect(await contents(admin, path)).toEqual(['base'])
  })

  test('VERS-02 a version is not restored over a content that the caller has not seen', async () => {
    const { path, disk } = await saved(['one', 'two'])
    const { current, items } = await pageOf(admin, path)
    await save(admin, path, 'three')
    const answer = await restore(
      admin,
      path,
      { id: items[0]?.id, how: 'replace' },
      { 'If-Match': `"${current.version}"` },
    )
    expect([answer.status, await readFile(disk, 'utf8')]).toEqual([412, 'three'])
  })

  test('a version is named, which pins it, and unpinned, and its name is taken away', async () => {
    const { path } = await saved(['one', 'two'])
    const [first] = await itemsOf(admin, path)
    const change = async (body: object) => json(await send(admin, 'PATCH', `/api/kept/${first?.id}`, body))
    expect(await change({ label: ' Draft ' })).toMatchObject({ label: 'Draft', pinned: true })
    const [named] = await itemsOf(admin, path)
    expect([named?.label, named?.pinned, named?.until]).toEqual(['Draft', true, undefined])
    expect(await change({ pinned: false, label: '' })).not.toHaveProperty('label')
    expect((await itemsOf(admin, path))[0]?.pinned).toBe(false)
    expect((await send(admin, 'PATCH', `/api/kept/${first?.id}`, { label: 'x'.repeat(101) })).status).toBe(400)
  })

  test('a deleted version is gone, and the file stays', async () => {
    const { path, disk } = await saved(['one', 'two', 'three'])
    const [, first] = await itemsOf(admin, path)
    const remove = () => call(wire, `/api/kept/${first?.id}`, { method: 'DELETE', token: admin.token })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await raw(admin, first?.id ?? '')).status).toBe(404)
    expect([await contents(admin, path), await readFile(disk, 'utf8')]).toEqual([['two'], 'three'])
  })

  test.runIf(KEEPS_DELETED)('something in the trash is deleted for good by its id', async () => {
    const { path } = await saved(['one'])
    const id = (await admin.remove(path)).headers.get('X-Kept') ?? ''
    expect((await raw(admin, id)).text).toBe('one')
    expect((await call(wire, `/api/kept/${id}`, { method: 'DELETE', token: admin.token })).status).toBe(204)
    expect((await raw(admin, id)).status).toBe(404)
  })

  test.runIf(KEEPS_DELETED)(
    'VERS-05 versions are found after a rename, a move, the trash and the way back; a copy begins without',
    async () => {
      const { path, folder, home } = await saved(['one', 'two'])
      await transfer(admin, path, 'rename', `${folder}/b.txt`)
      expect(await contents(admin, `${folder}/b.txt`)).toEqual(['one'])
      await call(wire, `/api/resources${encode(`${folder}/deep/`)}`, { method: 'POST', token: admin.token })
      await transfer(admin, `${folder}/b.txt`, 'rename', `${folder}/deep/b.txt`)
      await transfer(admin, `${folder}/deep`, 'rename', `${folder}/deeper`)
      expect(await contents(admin, `${folder}/deeper/b.txt`)).toEqual(['one'])
      const id = (await admin.remove(`${folder}/deeper`)).headers.get('X-Kept')
      await send(admin, 'POST', '/api/trash/restore', { items: [{ id, to: `${folder}/back` }] })
      expect(await contents(admin, `${folder}/back/b.txt`)).toEqual(['one'])
      await transfer(admin, `${folder}/back/b.txt`, 'copy', `${folder}/copy.txt`)
      expect(await contents(admin, `${folder}/copy.txt`)).toEqual([])
      await save(admin, `${folder}/back/b.txt`, 'three')
      expect(await contents(admin, `${folder}/back/b.txt`)).toEqual(['two', 'one'])
      expect(await readdir(home)).not.toContain('a.txt')
    },
  )

  test('VERS-05 a file that is moved over another has the versions of both', async () => {
    const { path, folder } = await saved(['one', 'two'])
    await upload(admin, `${folder}/b.txt`, 'three')
    await save(admin, `${folder}/b.txt`, 'four')
    expect((await transfer(admin, `${folder}/b.txt`, 'rename', path, '&override=true')).status).toBe(200)
    expect((await contents(admin, path)).toSorted()).toEqual(['one', 'three', 'two'])
  })

  test('a file that another program replaced keeps its versions, and the list says that it was changed', async () => {
    const { path, disk } = await saved(['one', 'two'])
    await writeFile(`${disk}.new`, 'outside')
    await rename(`${disk}.new`, disk)
    const { current, items } = await pageOf(admin, path)
    expect([current.outside, items.length]).toEqual([true, 1])
    await save(admin, path, 'three')
    expect(await contents(admin, path)).toEqual(['outside', 'one'])
  })

  test('files whose names are left out have no versions, and the list says so', async () => {
    const { path } = await saved(['one'], 'film.PART')
    const answer = await save(admin, path, 'two')
    expect(answer.headers.get('X-Kept')).toBeNull()
    expect(await pageOf(admin, path)).toMatchObject({ items: [], next: 'skipped' })
  })

  test('a former image has previews in both sizes, and an unknown id has none', async () => {
    const { path, disk } = await corner()
    await copyFile(join(import.meta.dirname, '../corpus/halves.png'), join(disk, 'a.png'))
    await save(admin, `${path}/a.png`, 'no image any more')
    const [former] = await itemsOf(admin, `${path}/a.png`)
    for (const size of ['thumb', 'big']) {
      const preview = (id: string) => call(wire, `/api/kept/preview/${size}/${id}?inline=true`, { token: admin.token })
      const answer = await preview(former?.id ?? '')
      expect([size, answer.status, answer.headers.get('content-type')]).toEqual([
        size,
        200,
        expect.stringMatching(/^image\//),
      ])
      expect((await preview('01jd2m8w3k6p9qrs4t5v7x0yza')).status).toBe(404)
    }
  })

  test('a version becomes another file, with its own time, at a free name', async () => {
    const { path, folder, home } = await saved(['one', 'two'])
    const [first] = await itemsOf(admin, path)
    const answer = await restore(admin, path, { id: first?.id, how: 'copy', to: `${folder}/was.txt` })
    expect([answer.status, json(answer)]).toEqual([200, { path: `${folder}/was.txt` }])
    expect(json(await restore(admin, path, { id: first?.id, how: 'copy' }))).toEqual({ path: `${folder}/a(1).txt` })
    for (const name of ['was.txt', 'a(1).txt']) expect(await readFile(join(home, name), 'utf8')).toBe('one')
    expect(await readFile(join(home, 'a.txt'), 'utf8')).toBe('two')
  })

  test('a version is only a version of its own file', async () => {
    const [one, two] = [await saved(['one', 'two']), await saved(['three'])]
    const [first] = await itemsOf(admin, one.path)
    expect((await restore(admin, two.path, { id: first?.id, how: 'replace' })).status).toBe(404)
    expect(await readFile(two.disk, 'utf8')).toBe('three')
  })
})

test('VERS-05 versions from a private folder are not seen after a move into a shared one', async () => {
  const { path: folder, disk: home } = own
  await call(wire, `/api/resources${encode(`${folder}/private/`)}`, { method: 'POST', token: admin.token })
  await call(wire, `/api/resources${encode(`${folder}/shared/`)}`, { method: 'POST', token: admin.token })
  await upload(admin, `${folder}/private/a.txt`, 'draft')
  await save(admin, `${folder}/private/a.txt`, 'final')
  const [draft] = await itemsOf(admin, `${folder}/private/a.txt`)
  await transfer(admin, `${folder}/private/a.txt`, 'rename', `${folder}/shared/a.txt`)
  await save(admin, `${folder}/shared/a.txt`, 'published')
  const bob = await person(wire, NAME, PASSWORD)
  expect(await contents(bob, '/a.txt')).toEqual(['final'])
  expect(await contents(admin, `${folder}/shared/a.txt`)).toEqual(['final', 'draft'])
  for (const answer of [
    await raw(bob, draft?.id ?? ''),
    await send(bob, 'PATCH', `/api/kept/${draft?.id}`, { pinned: true }),
    await call(wire, `/api/kept/${draft?.id}`, { method: 'DELETE', token: bob.token }),
    await restore(bob, '/a.txt', { id: draft?.id, how: 'replace' }),
  ])
    expect(answer.status).toBe(404)
  expect(await readFile(join(home, 'shared/a.txt'), 'utf8')).toBe('published')
})

test('who may only read sees versions and changes none', async () => {
  const path = `${own.path}/read.txt`
  await upload(admin, path, 'one')
  await save(admin, path, 'two')
  const reader = await person(wire, READER, PASSWORD)
  const { items, canChange } = await pageOf(reader, '/read.txt')
  expect([items.length, canChange]).toEqual([1, false])
  const id = items[0]?.id ?? ''
  expect((await raw(reader, id)).text).toBe('one')
  for (const answer of [
    await send(reader, 'PATCH', `/api/kept/${id}`, { pinned: true }),
    await call(wire, `/api/kept/${id}`, { method: 'DELETE', token: reader.token }),
    await restore(reader, '/read.txt', { id, how: 'replace' }),
  ])
    expect(answer.status).toBe(403)
  expect(await contents(admin, path)).toEqual(['one'])
})
