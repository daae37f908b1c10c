import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TrashResult } from '../../shared/api/trash.ts'
import type { VersionsPage } from '../../shared/api/versions.ts'
import { call, encode, json, person } from './client.ts'
import { WITH_TRASH } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { type Ground, openWithGrounds } from './mounted-instance.ts'

const { wire, grounds } = await openWithGrounds(WITH_TRASH)
const { token, ...admin } = await person(wire)

const contents = async (path: string): Promise<string[]> => {
  const page: VersionsPage = json(await call(wire, `/api/versions${encode(path)}`, { token }))
  const raw = (id: string) => call(wire, `/api/kept/raw/${id}`, { token })
  return Promise.all(page.items.map(async ({ id }) => (await raw(id)).text))
}
const save = async (path: string, ...all: string[]) => {
  for (const body of all) await call(wire, `/api/resources${encode(path)}`, { method: 'PUT', token, body })
}
const upload = (path: string, body: string) =>
  call(wire, `/api/resources${encode(path)}?override=true`, { method: 'POST', token, body })
const makeFolder = (path: string) => call(wire, `/api/resources${encode(path)}/`, { method: 'POST', token })
const transfer = (from: string, action: 'rename' | 'copy', to: string) => {
  const query = `action=${action}&destination=${encodeURIComponent(encode(to))}&override=true`
  return call(wire, `/api/resources${encode(from)}?${query}`, { method: 'PATCH', token })
}
const trash = async (path: string) => (await admin.remove(path)).headers.get('X-Kept') ?? ''
const purge = (id: string) => call(wire, `/api/kept/${id}`, { method: 'DELETE', token })
const restore = async (item: object, conflict?: string): Promise<string | undefined> => {
  const body = JSON.stringify({ items: [item], ...(conflict && { conflict }) })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await call(wire, '/api/trash/restore', { method: 'POST', token, headers, body })
  const { results } = json(answer) as { results: TrashResult[] }
  return results[0]?.to
}
/** Another program writes a file, and renames it to a path. */
const exchange = async (disk: string, content: string) => {
  await writeFile(`${disk}.new`, content)
  await rename(`${disk}.new`, disk)
}

/** A file with a version; and what makes another file at a path. */
const former = async (corner: Ground['corner'], name = 'a.txt') => {
  const { path: folder, disk: home } = await corner()
  const [path, disk] = [`${folder}/${name}`, join(home, name)]
  await upload(path, 'old one')
  await save(path, 'old two')
  return { folder, home, path, disk }
}

type Place = Awaited<ReturnType<typeof former>>
const NEWCOMERS: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  'an upload': ({ path }) => upload(path, 'new one'),
  async 'a copy'({ folder, path }) {
    await upload(`${folder}/other.txt`, 'new one')
    await transfer(`${folder}/other.txt`, 'copy', path)
  },
  async 'a move'({ folder, path }) {
    await upload(`${folder}/other.txt`, 'new one')
    await transfer(`${folder}/other.txt`, 'rename', path)
  },
  'a PUT over WebDAV': ({ path }) =>
    call(wire, `/dav${encode(path)}`, {
      method: 'PUT',
      headers: {
        Authorization: `Basic ${Buffer.from(`${wire.adminName ?? 'admin'}:${wire.adminPassword}`).toString('base64')}`,
      },
      body: 'new one',
    }),
  'another program': ({ disk }) => writeFile(disk, 'new one'),
}

describe.each(grounds)('$where', ({ corner }) => {
  test.each(Object.entries(NEWCOMERS))(
    'a file that %s brings to the path of a trashed one begins without versions, and those of the other come back with it',
    async (_what, bring) => {
      const place = await former(corner)
      const { folder, path } = place
      const id = await trash(path)
      await bring(place)
      expect(await contents(path)).toEqual([])
      await save(path, 'new two', 'new three')
      expect(await contents(path)).toEqual(['new two', 'new one'])
      expect(await restore({ id })).toBe(`${folder}/a(1).txt`)
      expect(await contents(`${folder}/a(1).txt`)).toEqual(['old one'])
      expect(await contents(path)).toEqual(['new two', 'new one'])
    },
  )

  test('a restored file that takes its place back has its own versions, and the one that gives way keeps its own', async () => {
    const { path, folder } = await former(corner)
    const id = await trash(path)
    await upload(path, 'new one')
    await save(path, 'new two')
    expect(await restore({ id }, 'replace')).toBe(path)
    expect(await contents(path)).toEqual(['old one'])
    await transfer(path, 'rename', `${folder}/old.txt`)
    const items: { id: string; path: string }[] = json(
      await call(wire, `/api/trash?folder=${encodeURIComponent(folder)}`, { token }),
    ).items
    expect(await restore({ id: items.find(item => item.path === path)?.id })).toBe(path)
    expect([await contents(path), await contents(`${folder}/old.txt`)]).toEqual([['new one'], ['old one']])
  })

  test('what is deleted for good leaves the versions of the new file at its path', async () => {
    const { path } = await former(corner)
    const id = await trash(path)
    await upload(path, 'new one')
    await save(path, 'new two')
    expect((await purge(id)).status).toBe(204)
    await save(path, 'new three')
    expect(await contents(path)).toEqual(['new two', 'new one'])
  })

  test.each(['from the trash', 'at once'])(
    'a file begins without those of one that was deleted for good %s',
    async how => {
      const { path, disk } = await former(corner)
      if (how === 'at once')
        await jobsOf(wire, { token, ...admin }).run({ kind: 'delete', items: [{ from: path }], permanent: true })
      else await purge(await trash(path))
      await upload(path, 'new one')
      await save(path, 'new two')
      await exchange(disk, 'of another program')
      expect(await contents(path)).toEqual(['new one'])
    },
  )

  test('a new file that is renamed away and back brings only its own versions, and so does the trashed one', async () => {
    const { path, folder } = await former(corner)
    const id = await trash(path)
    await upload(path, 'new one')
    await transfer(path, 'rename', `${folder}/b.txt`)
    expect(await restore({ id })).toBe(path)
    await save(`${folder}/b.txt`, 'new two')
    await transfer(path, 'rename', `${folder}/c.txt`)
    await transfer(`${folder}/b.txt`, 'rename', path)
    expect([await contents(path), await contents(`${folder}/c.txt`)]).toEqual([['new one'], ['old one']])
  })

  test('files of a new folder begin without versions of those in the trashed folder of its name', async () => {
    const { folder } = await former(corner)
    const old = `${folder}/docs`
    await makeFolder(old)
    for (const name of ['a.txt', 'b.txt']) {
      await upload(`${old}/${name}`, 'old one')
      await save(`${old}/${name}`, 'old two')
    }
    const id = await trash(old)
    await makeFolder(old)
    for (const name of ['a.txt', 'b.txt']) await upload(`${old}/${name}`, `new ${name}`)
    await save(`${old}/a.txt`, 'new two')
    await transfer(old, 'rename', `${folder}/new`)
    await save(`${folder}/new/b.txt`, 'new two')
    expect(await contents(`${folder}/new/a.txt`)).toEqual(['new a.txt'])
    expect(await contents(`${folder}/new/b.txt`)).toEqual(['new b.txt'])
    expect(await restore({ id })).toBe(old)
    for (const name of ['a.txt', 'b.txt']) expect(await contents(`${old}/${name}`)).toEqual(['old one'])
  })

  test('a part of a trashed folder that comes back keeps its versions after another program replaced it', async () => {
    const { folder, home } = await former(corner)
    await makeFolder(`${folder}/docs`)
    await upload(`${folder}/docs/a.txt`, 'old one')
    await save(`${folder}/docs/a.txt`, 'old two')
    const id = await trash(`${folder}/docs`)
    expect(await restore({ id, inner: '/a.txt' })).toBe(`${folder}/docs/a.txt`)
    await exchange(join(home, 'docs/a.txt'), 'of another program')
    await save(`${folder}/docs/a.txt`, 'three')
    expect(await contents(`${folder}/docs/a.txt`)).toEqual(['of another program', 'old one'])
  })

  test('a file that another program replaced takes its versions to the trash and back, past a new file', async () => {
    const { path, disk, folder } = await former(corner)
    await exchange(disk, 'of another program')
    const id = await trash(path)
    await upload(path, 'new one')
    await save(path, 'new two')
    expect(await contents(path)).toEqual(['new one'])
    expect(await restore({ id })).toBe(`${folder}/a(1).txt`)
    expect(await contents(`${folder}/a(1).txt`)).toEqual(['old one'])
  })

  test('an undone deletion brings the versions back, and another program may replace the file after it', async () => {
    const { path, disk } = await former(corner)
    const change = (await admin.remove(path)).headers.get('X-Change') ?? ''
    const headers = { 'Content-Type': 'application/json' }
    const undo = () => call(wire, `/api/changes/${change}/undo`, { method: 'POST', token, headers, body: '{}' })
    expect((await undo()).status).toBe(200)
    expect(await contents(path)).toEqual(['old one'])
    await exchange(disk, 'of another program')
    await save(path, 'three')
    expect(await contents(path)).toEqual(['of another program', 'old one'])
  })

  test('a file that another program takes away and makes again keeps its versions', async () => {
    const { path, disk, home } = await former(corner)
    await rm(disk)
    await mkdir(join(home, 'elsewhere'))
    await writeFile(disk, 'of another program')
    expect(await contents(path)).toEqual(['old one'])
  })
})
