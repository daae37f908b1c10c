import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConflictsAnswer } from '../../shared/api/conflicts.ts'
import type { TrashRoom } from '../../shared/api/trash.ts'
import { call, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance, WITH_TRASH } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD, whole } from './people.ts'

const wire = await openInstance(WITH_TRASH)
const admin = await person(wire)

const post = (token: string | undefined, path: string, body: unknown) =>
  call(wire, path, {
    method: 'POST',
    ...(token !== undefined && { token }),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const conflictsOf = async ({ token }: Person, ...items: object[]): Promise<ConflictsAnswer> =>
  json(await post(token, '/api/trash/conflicts', { items }))
const restore = async ({ token }: Person, body: object) => json(await post(token, '/api/trash/restore', body)).results
const roomOf = async ({ token }: Person): Promise<TrashRoom[]> => json(await call(wire, '/api/trash/room', { token }))

async function trash(who: Person, path: string): Promise<string> {
  const answer = await who.remove(path)
  const id = answer.headers.get('X-Kept')
  if (answer.status !== 204 || !id) throw new Error(`${path} was not kept: ${answer.status} ${answer.text}`)
  return id
}

test('TRASH-05 what is in the way of a restore is listed before, also in folders that would merge', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'tree/inner'), { recursive: true })
  for (const name of ['tree/a.txt', 'tree/inner/b.txt', 'tree/free.txt', 'c.txt'])
    await writeFile(join(disk, name), 'old')
  const [tree, file] = [await trash(admin, `${path}/tree`), await trash(admin, `${path}/c.txt`)]
  expect(await conflictsOf(admin, { id: tree }, { id: file })).toEqual({ conflicts: [], more: 0 })
  await mkdir(join(disk, 'tree/inner'), { recursive: true })
  for (const name of ['tree/a.txt', 'tree/inner/b.txt', 'c.txt']) await writeFile(join(disk, name), 'newer')
  const { conflicts, more } = await conflictsOf(admin, { id: file }, { id: tree }, { id: 'unknown' })
  expect(conflicts.map(({ item, to }) => [item, to.slice(path.length)])).toEqual([
    [0, '/c.txt'],
    [1, '/tree'],
    [1, '/tree/a.txt'],
    [1, '/tree/inner'],
    [1, '/tree/inner/b.txt'],
  ])
  expect(more).toBe(0)
  expect(conflicts[0]).toMatchObject({ ours: { isDir: false, size: 3 }, theirs: { isDir: false, size: 5 } })
  expect(conflicts[1]).toMatchObject({ ours: { isDir: true }, theirs: { isDir: true } })

  const part = await conflictsOf(
    admin,
    { id: tree, inner: '/inner/b.txt' },
    { id: tree, inner: '/a.txt', to: `${path}/x` },
  )
  expect(part.conflicts.map(({ item, to }) => [item, to])).toEqual([[0, `${path}/tree/inner/b.txt`]])

  const choices = { [`${path}/tree/a.txt`]: 'replace', [`${path}/tree/inner/b.txt`]: 'skip' }
  await restore(admin, { items: [{ id: tree }], choices })
  expect(await readdir(join(disk, 'tree'))).toEqual(expect.arrayContaining(['a.txt', 'free.txt', 'inner']))
  // What was skipped is still in the trash.
  expect((await conflictsOf(admin, { id: tree })).conflicts.map(({ to }) => to.slice(path.length))).toContain(
    '/tree/inner/b.txt',
  )
})

const shared = uniqueName('room')
const away = uniqueName('room-away')
await mkdir(join(wire.root, shared, 'secret'), { recursive: true })
await mkdir(join(wire.root, away))
const [owner, other, outsider] = ['room-owner', 'room-other', 'room-outsider'].map(uniqueName) as [
  string,
  string,
  string,
]
await enrol(wire, [
  { name: owner, scope: `/${shared}`, may: EVERYTHING },
  { name: other, scope: `/${shared}`, may: EVERYTHING, rules: [whole({ path: '/secret' })] },
  { name: outsider, scope: `/${away}`, may: EVERYTHING },
])

test('TRASH-04 neither the conflicts nor the room show anything of items that the caller may not see', async () => {
  const [mine, theirs, stranger] = await Promise.all([owner, other, outsider].map(name => person(wire, name, PASSWORD)))
  if (!mine || !theirs || !stranger) throw new Error('nobody')
  await writeFile(join(wire.root, shared, 'secret/a.txt'), 'four')
  await writeFile(join(wire.root, shared, 'b.txt'), 'seven77')
  const [secret, open] = [await trash(mine, '/secret/a.txt'), await trash(mine, '/b.txt')]
  await writeFile(join(wire.root, shared, 'secret/a.txt'), 'other')
  await writeFile(join(wire.root, shared, 'b.txt'), 'other')
  const nothing = { conflicts: [], more: 0 }
  expect((await conflictsOf(mine, { id: secret })).conflicts).toHaveLength(1)
  expect(await conflictsOf(theirs, { id: secret })).toEqual(nothing)
  expect(await conflictsOf(theirs, { id: open, to: '/secret/a.txt' })).toEqual(nothing)
  expect(await conflictsOf(stranger, { id: open })).toEqual(nothing)

  const [room, ...rest] = await roomOf(mine)
  expect(rest).toEqual([])
  expect(room).toMatchObject({ place: '/', count: 2, bytes: 11, limits: { days: 30 } })
  expect(await roomOf(theirs)).toMatchObject([{ place: '/', count: 1, bytes: 7 }])
  expect(await roomOf(stranger)).toEqual([])
  expect((await post(undefined, '/api/trash/conflicts', { items: [{ id: open }] })).status).toBe(401)
  expect((await call(wire, '/api/trash/room')).status).toBe(401)
  expect((await post(mine.token, '/api/trash/conflicts', { items: [] })).status).toBe(400)
})

test('the room of a disk names its size, what the trash may take of it, and what is still leaving', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.bin'), Buffer.alloc(5000))
  await trash(admin, `${path}/a.bin`)
  const [room] = await roomOf(admin)
  const { total = 0, free = 0, limits } = room ?? { limits: { days: 0 } }
  expect(total).toBeGreaterThan(free)
  expect(limits.most).toBe(Math.floor(total / 10))
  expect(limits.spare).toBe(Math.floor(Math.min(total * 0.05, 20 * 2 ** 30)))
  await expect.poll(async () => (await roomOf(admin))[0]?.leaving).toBe(0)
})
