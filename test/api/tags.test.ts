import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FolderMarks } from '../../shared/api/marks.ts'
import { MAX_TAG_NAME, MAX_TAGGED_PATHS, type Tag, type TaggedItems, type TaggedResult } from '../../shared/api/tags.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { type Corner, corner, KEEPS_DELETED, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const [annas, bens, readers] = [uniqueName('anna'), uniqueName('ben'), uniqueName('reader')]
await enrol(wire, [
  { name: annas, may: EVERYTHING },
  { name: bens, may: EVERYTHING },
  { name: readers, may: ['download'] },
])
const admin = await person(wire)
const anna = await person(wire, annas, PASSWORD)
const ben = await person(wire, bens, PASSWORD)
const reader = await person(wire, readers, PASSWORD)

const send = (who: Person, method: string, path: string, body?: object): Promise<Answer> =>
  call(wire, path, {
    method,
    token: who.token,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
const create = (who: Person, body: object = {}) =>
  send(who, 'POST', '/api/tags', { name: uniqueName('tag'), colour: 'red', ...body })
const made = async (who: Person, body: object = {}): Promise<Tag> => json(await create(who, body))
const tags = async (who = anna): Promise<Tag[]> => json(await send(who, 'GET', '/api/tags')).items
const put = (who: Person, body: object) => send(who, 'PUT', '/api/tagged', body)
const set = async (who: Person, paths: string[], add: Tag[], remove: Tag[] = []): Promise<TaggedResult[]> => {
  const ids = (list: Tag[]) => list.map(({ id }) => id)
  return json(await put(who, { paths, add: ids(add), remove: ids(remove) })).results
}
const marks = async (folder: string, who = anna): Promise<FolderMarks> =>
  json(await send(who, 'GET', `/api/marks${encode(folder)}`))
const list = async (tag: Tag, who = anna): Promise<TaggedItems> =>
  json(await send(who, 'GET', `/api/tags/${tag.id}/items`))
const paths = async (tag: Tag, who = anna) => (await list(tag, who)).items.map(({ path }) => path)
const move = (from: string, to: string) =>
  send(
    anna,
    'PATCH',
    `/api/resources${encode(from)}?${new URLSearchParams({ action: 'rename', destination: encode(to) })}`,
  )

/** A folder with a file of content in it. */
async function withFile(): Promise<Corner & { file: string }> {
  const there = await corner(wire)
  await mkdir(join(there.disk, 'docs'))
  await writeFile(join(there.disk, 'docs/a.txt'), 'content')
  return { ...there, file: `${there.path}/docs/a.txt` }
}

describe('a tag', () => {
  test('is created, listed by name, changed and deleted', async () => {
    const name = uniqueName('b')
    const answer = await create(anna, { name: `  ${name} `, colour: 'teal' })
    expect(answer.status).toBe(201)
    const tag = json(answer) as Tag
    expect(tag).toEqual({ id: tag.id, name, colour: 'teal', shared: false })
    const first = await made(anna, { name: `A ${name}` })
    expect((await tags()).filter(one => one.name.includes(name))).toEqual([first, tag])
    const changed = await send(anna, 'PATCH', `/api/tags/${tag.id}`, { name: `${name} 2` })
    expect([changed.status, json(changed)]).toEqual([200, { ...tag, name: `${name} 2` }])
    expect((await send(anna, 'PATCH', `/api/tags/${tag.id}`, { colour: 'pink' })).status).toBe(200)
    expect((await send(anna, 'DELETE', `/api/tags/${first.id}`)).status).toBe(204)
    expect((await tags()).filter(one => one.name.includes(name))).toEqual([
      { ...tag, name: `${name} 2`, colour: 'pink' },
    ])
  })

  test('has a name that no other tag of its user has, whatever its case', async () => {
    const [tag, other] = [await made(anna), await made(anna)]
    expect((await create(anna, { name: tag.name.toUpperCase() })).status).toBe(409)
    expect((await send(anna, 'PATCH', `/api/tags/${other.id}`, { name: tag.name })).status).toBe(409)
    expect((await send(anna, 'PATCH', `/api/tags/${tag.id}`, { name: tag.name.toUpperCase() })).status).toBe(200)
    expect((await create(ben, { name: tag.name })).status).toBe(201)
  })

  test('needs one line of text of a limited length, and a known colour', async () => {
    for (const name of ['', '  ', 'a\nb', 'a'.repeat(MAX_TAG_NAME + 1)])
      expect((await create(anna, { name })).status).toBe(400)
    expect((await create(anna, { colour: 'plaid' })).status).toBe(400)
    const tag = await made(anna)
    expect((await send(anna, 'PATCH', `/api/tags/${tag.id}`, { name: '' })).status).toBe(400)
  })

  test('of another user is not found', async () => {
    const { path, file } = await withFile()
    const tag = await made(anna)
    await set(anna, [file], [tag])
    expect((await tags(ben)).some(({ id }) => id === tag.id)).toBe(false)
    expect((await send(ben, 'PATCH', `/api/tags/${tag.id}`, { colour: 'red' })).status).toBe(404)
    expect((await send(ben, 'DELETE', `/api/tags/${tag.id}`)).status).toBe(404)
    expect((await send(ben, 'GET', `/api/tags/${tag.id}/items`)).status).toBe(404)
    for (const change of [{ add: [tag.id] }, { remove: [tag.id] }])
      expect((await put(ben, { paths: [file], ...change })).status).toBe(404)
    expect((await marks(`${path}/docs`, ben))['a.txt']).toBeUndefined()
    expect(await paths(tag)).toEqual([file])
  })

  test('that is shared is made, changed and deleted by administrators only', async () => {
    expect((await create(anna, { shared: true })).status).toBe(403)
    const tag = await made(admin, { shared: true })
    expect(await tags()).toContainEqual(tag)
    expect((await send(anna, 'PATCH', `/api/tags/${tag.id}`, { colour: 'blue' })).status).toBe(403)
    expect((await send(anna, 'DELETE', `/api/tags/${tag.id}`)).status).toBe(403)
    expect((await send(admin, 'PATCH', `/api/tags/${tag.id}`, { colour: 'blue' })).status).toBe(200)
    expect((await send(admin, 'DELETE', `/api/tags/${tag.id}`)).status).toBe(204)
    expect((await tags()).some(({ id }) => id === tag.id)).toBe(false)
  })
})

describe('items', () => {
  test('get and lose tags, with a result for each path', async () => {
    const { path, file } = await withFile()
    const [one, two] = [await made(anna, { name: uniqueName('a') }), await made(anna, { name: uniqueName('b') })]
    const missing = `${path}/missing`
    expect(await set(anna, [file, `${path}/docs`, missing, '/'], [one, two])).toEqual([
      { path: file, tags: [one.id, two.id] },
      { path: `${path}/docs`, tags: [one.id, two.id] },
      { path: missing, code: 'not_found' },
      { path: '/', code: 'bad_request' },
    ])
    expect(await set(anna, [file], [one], [two])).toEqual([{ path: file, tags: [one.id] }])
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { tags: [one.id] } })
    expect(Object.keys(await marks(path))).toEqual(['docs'])
    await send(anna, 'PUT', `/api/stars${encode(file)}`)
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { star: true, tags: [one.id] } })
    expect((await paths(one)).toSorted()).toEqual([`${path}/docs`, file])
    expect(await list(two)).toMatchObject({ items: [{ path: `${path}/docs`, isDir: true, size: 0 }] })
    await send(anna, 'DELETE', `/api/tags/${one.id}`)
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { star: true } })
  })

  test('keep their tags through a renaming, a move of their folder, a save and an upload', async () => {
    const { path, file } = await withFile()
    const tag = await made(anna)
    await set(anna, [file], [tag])
    await move(file, `${path}/docs/b.txt`)
    expect(await paths(tag)).toEqual([`${path}/docs/b.txt`])
    await move(`${path}/docs`, `${path}/papers`)
    await call(wire, `/api/resources${encode(`${path}/papers/b.txt`)}`, { method: 'PUT', token: anna.token, body: 'x' })
    await anna.put(`${path}/papers/b.txt`, 'other', '?override=true')
    expect(await paths(tag)).toEqual([`${path}/papers/b.txt`])
    expect(await marks(`${path}/papers`)).toEqual({ 'b.txt': { tags: [tag.id] } })
  })

  test.runIf(KEEPS_DELETED)(
    'keep their tags in the trash and on the way back, and pass them to no newcomer',
    async () => {
      const { path, file } = await withFile()
      const tag = await made(anna)
      await set(anna, [file], [tag])
      const kept = (await anna.remove(file)).headers.get('X-Kept') ?? ''
      await anna.put(file, 'another')
      expect(await marks(`${path}/docs`)).toEqual({})
      expect((await list(tag)).items).toMatchObject([{ path: file, trash: kept }])
      await send(anna, 'POST', '/api/trash/restore', { items: [{ id: kept, to: `${path}/c.txt` }] })
      expect(await paths(tag)).toEqual([`${path}/c.txt`])
      const again = (await anna.remove(`${path}/c.txt`)).headers.get('X-Kept') ?? ''
      await send(anna, 'POST', '/api/trash/purge', { ids: [again] })
      expect(await paths(tag)).toEqual([])
    },
  )

  test('keep their tags when another program replaces them', async () => {
    const { disk, file } = await withFile()
    const tag = await made(anna)
    await set(anna, [file], [tag])
    await writeFile(join(disk, 'docs/new'), 'newer')
    await rename(join(disk, 'docs/new'), join(disk, 'docs/a.txt'))
    expect(await paths(tag)).toEqual([file])
  })

  test('show shared tags to all who see them; setting these needs the modify permission', async () => {
    const { path, file } = await withFile()
    const tag = await made(admin, { shared: true })
    expect((await put(reader, { paths: [file], add: [tag.id] })).status).toBe(403)
    expect(await set(ben, [file], [tag])).toEqual([{ path: file, tags: [tag.id] }])
    for (const who of [anna, ben, reader, admin]) {
      expect(await marks(`${path}/docs`, who)).toEqual({ 'a.txt': { tags: [tag.id] } })
      expect(await paths(tag, who)).toEqual([file])
    }
    expect((await put(reader, { paths: [file], remove: [tag.id] })).status).toBe(403)
    const own = await made(reader)
    expect((await set(reader, [file], [own]))[0]?.tags).toHaveLength(2)
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { tags: [tag.id] } })
    expect(await set(anna, [file], [], [tag])).toEqual([{ path: file, tags: [] }])
  })

  test('out of sight neither get nor show tags', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'secret'))
    await writeFile(join(disk, 'secret/a.txt'), 'a')
    await writeFile(join(disk, 'b.txt'), 'b')
    const hidden = uniqueName('hid')
    const rule = { path: '/secret', allow: false }
    await enrol(wire, [{ name: hidden, may: EVERYTHING, scope: path, rules: [rule] }])
    const who = await person(wire, hidden, PASSWORD)
    const tag = await made(admin, { shared: true })
    await set(admin, [`${path}/secret/a.txt`, `${path}/b.txt`], [tag])
    expect(await paths(tag, who)).toEqual(['/b.txt'])
    expect((await send(who, 'GET', '/api/marks/secret')).status).toBe(403)
    expect(await set(who, ['/secret/a.txt', '/secret/missing', '/../b.txt'], [], [tag])).toEqual([
      { path: '/secret/a.txt', code: 'forbidden' },
      { path: '/secret/missing', code: 'forbidden' },
      { path: '/../b.txt', code: 'bad_path' },
    ])
    await move(`${path}/b.txt`, `${path}/secret/b.txt`)
    expect(await paths(tag, who)).toEqual([])
    expect(await paths(tag, admin)).toHaveLength(2)
  })

  test('are named in requests of a limited size', async () => {
    const tag = await made(anna)
    const many = Array.from({ length: MAX_TAGGED_PATHS + 1 }, (_, n) => `/${n}`)
    expect((await put(anna, { paths: many, add: [tag.id] })).status).toBe(400)
    expect((await put(anna, { paths: [], add: [tag.id] })).status).toBe(400)
    expect((await put(anna, { paths: ['/a'], add: ['unknown'] })).status).toBe(404)
  })
})

test('The audit log has each change of a shared tag, and nothing of the tags of one user', async () => {
  const { file } = await withFile()
  const [own, shared] = [await made(admin), await made(admin, { shared: true })]
  await set(admin, [file], [own, shared])
  await set(admin, [file], [], [shared])
  await put(reader, { paths: [file], add: [shared.id] })
  const rows: { action: string; path: string; target: string; outcome: string }[] = json(
    await send(admin, 'GET', '/api/audit?limit=50'),
  ).rows
  const about = rows.filter(({ action }) => action.startsWith('tag.')).toReversed()
  expect(about.filter(({ target }) => target.includes(own.name))).toEqual([])
  expect(about.filter(({ target }) => target.includes(shared.name))).toMatchObject([
    { action: 'tag.change', target: `tag:${shared.id} ${shared.name}`, outcome: 'done' },
    { action: 'tag.set', target: `+${shared.name}`, outcome: 'done', path: file },
    { action: 'tag.set', target: `−${shared.name}`, outcome: 'done', path: file },
  ])
  // Repeated refusals are one row.
  expect(about).toContainEqual(expect.objectContaining({ action: 'tag.set', outcome: 'forbidden', username: readers }))
})
