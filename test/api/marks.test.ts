import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FolderMarks, RecentList, StarList } from '../../shared/api/marks.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { type Corner, corner, KEEPS_DELETED, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const [name, confined] = [uniqueName('anna'), uniqueName('ben')]
const rule = { path: '/secret', allow: false }
await enrol(wire, [
  { name, may: EVERYTHING },
  { name: confined, may: EVERYTHING, rules: [rule] },
])
const anna = await person(wire, name, PASSWORD)

const send = (who: Person, method: string, path: string, body?: object): Promise<Answer> =>
  call(wire, path, {
    method,
    token: who.token,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
const star = (path: string, who = anna) => send(who, 'PUT', `/api/stars${encode(path)}`)
const unstar = (path: string, who = anna) => send(who, 'DELETE', `/api/stars${encode(path)}`)
const stars = async (who = anna): Promise<StarList['items']> => json(await send(who, 'GET', '/api/stars')).items
const marks = async (folder: string): Promise<FolderMarks> =>
  json(await send(anna, 'GET', `/api/marks${encode(folder)}`))
const move = (from: string, to: string) =>
  send(
    anna,
    'PATCH',
    `/api/resources${encode(from)}?${new URLSearchParams({ action: 'rename', destination: encode(to) })}`,
  )
const restore = (id: string | undefined, to?: string) =>
  send(anna, 'POST', '/api/trash/restore', { items: [{ id, ...(to && { to }) }] })

/** A folder with a file of content in it. */
async function withFile(): Promise<Corner & { file: string }> {
  const there = await corner(wire)
  await mkdir(join(there.disk, 'docs'))
  await writeFile(join(there.disk, 'docs/a.txt'), 'content')
  return { ...there, file: `${there.path}/docs/a.txt` }
}

/** The stars of one test, as paths. */
const starred = async (path: string, who = anna) =>
  (await stars(who)).filter(item => item.path.startsWith(`${path}/`)).map(item => item.path)

describe('a star', () => {
  test('is listed with its item, marked in the folder, and removed', async () => {
    const { path, file } = await withFile()
    expect((await star(file)).status).toBe(204)
    expect((await star(file)).status).toBe(204)
    expect((await star(`${path}/docs`)).status).toBe(204)
    const listed = (await stars()).filter(item => item.path.startsWith(path))
    expect(listed).toMatchObject([
      { path: file, name: 'a.txt', isDir: false, size: 7 },
      { path: `${path}/docs`, name: 'docs', isDir: true, size: 0 },
    ])
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { star: true } })
    expect(await marks(path)).toEqual({ docs: { star: true } })
    expect((await unstar(file)).status).toBe(204)
    expect((await unstar(file)).status).toBe(204)
    expect(await starred(path)).toEqual([`${path}/docs`])
  })

  test('belongs to its user alone', async () => {
    const { path, file } = await withFile()
    await star(file)
    expect(await starred(path, await person(wire))).toEqual([])
  })

  test('follows a renaming, a move of its folder, a save and an upload', async () => {
    const { path, file } = await withFile()
    await star(file)
    await move(file, `${path}/docs/b.txt`)
    expect(await starred(path)).toEqual([`${path}/docs/b.txt`])
    await move(`${path}/docs`, `${path}/papers`)
    expect(await starred(path)).toEqual([`${path}/papers/b.txt`])
    await call(wire, `/api/resources${encode(`${path}/papers/b.txt`)}`, { method: 'PUT', token: anna.token, body: 'x' })
    await anna.put(`${path}/papers/b.txt`, 'other', '?override=true')
    expect(await starred(path)).toEqual([`${path}/papers/b.txt`])
    expect(await marks(`${path}/papers`)).toEqual({ 'b.txt': { star: true } })
  })

  test('stays with a file that another program replaced', async () => {
    const { path, disk, file } = await withFile()
    await star(file)
    await writeFile(join(disk, 'docs/new'), 'newer')
    await rename(join(disk, 'docs/new'), join(disk, 'docs/a.txt'))
    expect(await starred(path)).toEqual([file])
    await move(file, `${path}/b.txt`)
    expect(await starred(path)).toEqual([`${path}/b.txt`])
  })

  test.runIf(KEEPS_DELETED)(
    'says when its item is in the trash, itself or with a folder, and follows it back',
    async () => {
      const { path, file } = await withFile()
      await star(file)
      const alone = (await anna.remove(file)).headers.get('X-Kept') ?? undefined
      expect((await stars()).find(item => item.path === file)).toMatchObject({ trash: alone })
      await restore(alone, `${path}/docs/c.txt`)
      expect((await stars()).filter(item => item.path.startsWith(path))).toMatchObject([{ path: `${path}/docs/c.txt` }])
      const folder = (await anna.remove(`${path}/docs`)).headers.get('X-Kept') ?? undefined
      expect((await stars()).find(item => item.path.startsWith(path))).toMatchObject({ trash: folder, name: 'c.txt' })
      await restore(folder, `${path}/back`)
      expect(await starred(path)).toEqual([`${path}/back/c.txt`])
    },
  )

  test.runIf(KEEPS_DELETED)('is not passed on to another file with the name of a deleted one', async () => {
    const { path, file } = await withFile()
    await star(file)
    const kept = (await anna.remove(file)).headers.get('X-Kept') ?? ''
    await anna.put(file, 'another')
    expect(await marks(`${path}/docs`)).toEqual({})
    expect((await stars()).filter(item => item.path === file)).toMatchObject([{ trash: kept }])
    await send(anna, 'POST', '/api/trash/purge', { ids: [kept] })
    expect(await starred(path)).toEqual([])
    await star(file)
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { star: true } })
  })

  test.runIf(KEEPS_DELETED)(
    'of an item in the trash is removed by its id, also where its path has another item',
    async () => {
      const { path, file } = await withFile()
      await star(file)
      await anna.remove(file)
      await anna.put(file, 'another')
      await star(file)
      const [first, second] = (await stars()).filter(item => item.path === file)
      expect(first?.trash).toBeDefined()
      await send(anna, 'DELETE', `/api/stars${encode(file)}?id=${first?.id}`)
      expect((await stars()).filter(item => item.path === file)).toEqual([second])
      expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { star: true } })
    },
  )

  test('of what is gone drops out of the list', async () => {
    const { path, disk, file } = await withFile()
    await star(file)
    await rm(join(disk, 'docs/a.txt'))
    expect(await starred(path)).toEqual([])
    await mkdir(join(disk, 'docs/a.txt'))
    expect(await starred(path)).toEqual([])
  })

  test('has a place in an order that its user sets', async () => {
    const { path, disk } = await corner(wire)
    for (const letter of ['a', 'b', 'c']) {
      await writeFile(join(disk, letter), letter)
      await star(`${path}/${letter}`)
    }
    const [a, b, c] = (await stars()).filter(item => item.path.startsWith(path)).map(({ id }) => id)
    expect((await send(anna, 'POST', '/api/stars/order', { ids: [c, 'unknown', a] })).status).toBe(204)
    expect(await starred(path)).toEqual([`${path}/c`, `${path}/a`, `${path}/b`])
    await send(anna, 'POST', '/api/stars/order', { ids: [b, a, c] })
    expect(await starred(path)).toEqual([`${path}/b`, `${path}/a`, `${path}/c`])
    expect((await send(anna, 'POST', '/api/stars/order', { ids: 'a' })).status).toBe(400)
  })

  test('neither reveals nor reaches what rules hide', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'secret'))
    await writeFile(join(disk, 'secret/a.txt'), 'a')
    const hidden = uniqueName('hid')
    await enrol(wire, [{ name: hidden, may: EVERYTHING, scope: path, rules: [rule] }])
    const who = await person(wire, hidden, PASSWORD)
    for (const there of ['/secret/a.txt', '/secret/missing.txt']) expect((await star(there, who)).status).toBe(403)
    expect((await star('/missing.txt', who)).status).toBe(404)
    expect((await send(who, 'GET', '/api/marks/secret')).status).toBe(403)
    await writeFile(join(disk, 'b.txt'), 'b')
    await star('/b.txt', who)
    await move(`${path}/b.txt`, `${path}/secret/b.txt`)
    expect(await stars(who)).toEqual([])
    await move(`${path}/secret/b.txt`, `${path}/c.txt`)
    expect(await stars(who)).toMatchObject([{ path: '/c.txt' }])
  })

  test('needs an item: neither the root nor something missing, and marks need a folder', async () => {
    const { file } = await withFile()
    expect((await star('/')).status).toBe(400)
    expect((await star(`${file}.missing`)).status).toBe(404)
    expect((await send(anna, 'GET', `/api/marks${encode(file)}`)).status).toBe(409)
    expect((await send(anna, 'GET', `/api/marks${encode(`${file}.missing`)}`)).status).toBe(404)
  })
})

const recent = async (query = '', who = anna): Promise<RecentList> =>
  json(await send(who, 'GET', `/api/recent${query}`))
const open = (path: string, who = anna) => send(who, 'PUT', `/api/recent${encode(path)}`)
const names = (items: RecentList['opened'], path: string) =>
  items.filter(item => item.path.startsWith(`${path}/`)).map(item => item.path.slice(path.length + 1))

describe('recent files', () => {
  test('are those that the user opened and those that the user changed, the latest first', async () => {
    const { path, file, disk } = await withFile()
    await writeFile(join(disk, 'b.txt'), 'b')
    for (const opened of [file, `${path}/b.txt`]) expect((await open(opened)).status).toBe(204)
    await anna.put(`${path}/c.txt`, 'new')
    await anna.put(file, 'newer', '?override=true')
    const { remember, opened, changed } = await recent()
    expect(remember).toBe(true)
    expect(names(opened, path)).toEqual(['b.txt', 'docs/a.txt'])
    expect(names(changed, path)).toEqual(['docs/a.txt', 'c.txt'])
    expect((await recent('', await person(wire))).opened).toEqual([])
  })

  test('follow a file through saves and moves, and leave with it', async () => {
    const { path, file } = await withFile()
    await open(file)
    await anna.put(file, 'newer', '?override=true')
    await move(file, `${path}/b.txt`)
    expect(names((await recent()).opened, path)).toEqual(['b.txt'])
    await anna.remove(`${path}/b.txt`)
    const { opened, changed } = await recent()
    expect(names([...opened, ...changed], path)).toEqual([])
  })

  test('are asked for by path', async () => {
    const { file } = await withFile()
    const of = (path: string) => recent(`?path=${encodeURIComponent(path)}`)
    expect((await of(file)).opened).toEqual([])
    await open(file)
    expect((await of(file)).opened).toMatchObject([{ path: file }])
    expect((await send(anna, 'GET', `/api/recent?path=${encodeURIComponent(`${file}.no`)}`)).status).toBe(404)
  })

  test('are cleared, and opened ones are not noted for a user who does not want it', async () => {
    const { path, file } = await withFile()
    await open(file)
    await anna.put(`${path}/b.txt`, 'b')
    expect((await send(anna, 'DELETE', '/api/recent')).status).toBe(204)
    expect(await recent()).toEqual({ remember: true, opened: [], changed: [] })
    expect((await send(anna, 'PATCH', '/api/recent', { remember: false })).status).toBe(204)
    await open(file)
    await anna.put(`${path}/b.txt`, 'bb', '?override=true')
    const { remember, opened, changed } = await recent()
    expect([remember, opened, names(changed, path)]).toEqual([false, [], ['b.txt']])
    await send(anna, 'PATCH', '/api/recent', { remember: true })
    expect((await recent()).opened).toEqual([])
    expect((await send(anna, 'PATCH', '/api/recent', { remember: 'yes' })).status).toBe(400)
  })

  test('are files that the user may see', async () => {
    const { path, file } = await withFile()
    expect((await open(`${path}/docs`)).status).toBe(409)
    expect((await open(`${file}.missing`)).status).toBe(404)
    expect((await open('/secret/a.txt', await person(wire, confined, PASSWORD))).status).toBe(403)
  })
})
