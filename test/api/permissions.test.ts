import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { type Manifest, snapshot } from './snapshot.ts'
import { plant } from './tree.ts'

/** Share without download cannot be granted. */
const without = (missing: string) =>
  EVERYTHING.filter(permission => permission !== missing && (missing !== 'download' || permission !== 'share'))
const server = await openInstance()
const { path: scope, disk } = await corner(server)
await plant(disk, join(disk, 'home'))
const lacking = ['create', 'delete', 'download', 'modify'].map(right => ({ name: right, may: without(right) }))
const people = [...lacking, { name: 'none', may: [] }, { name: 'creator', may: ['create'] as const }]
await enrol(
  server,
  people.map(one => ({ ...one, scope: `${scope}/home` })),
)
const who = (name: string) => person(server, name, PASSWORD)

async function unchanged(act: () => Promise<{ status: number; text: string }>): Promise<void> {
  const before: Manifest = await snapshot(disk)
  const answer = await act()
  expect(answer.status).toBe(403)
  expect(answer.text).toBe('403 Forbidden\n')
  expect(await snapshot(disk)).toEqual(before)
}

test('without the create permission nothing is created', async () => {
  const user = await who('create')
  await unchanged(() => user.put('/new.txt', 'x'))
  await unchanged(() => user.put('/new/'))
  await unchanged(() => user.put('/new/deep/er.txt', 'x'))
  await unchanged(() => user.put('/a.txt', 'x'))
})

test('without the modify permission nothing is replaced, but new files are created', async () => {
  const user = await who('modify')
  await unchanged(() => user.put('/a.txt', 'x', '?override=true'))
  expect((await user.put('/a.txt', 'x')).status).toBe(409)
  expect((await user.put('/modify-new.txt', 'x')).status).toBe(200)
  expect((await user.put('/modify-newer.txt', 'x', '?override=true')).status).toBe(200)
})

test('without the delete permission nothing is deleted', async () => {
  const user = await who('delete')
  await unchanged(() => user.remove('/a.txt'))
  await unchanged(() => user.remove('/docs/'))
  await unchanged(() => user.remove('/never-made'))
})

test('without the download permission names are listed but no bytes are sent', async () => {
  const user = await who('download')
  await unchanged(() => user.raw('/a.txt'))
  await unchanged(() => user.raw('/a.txt', '?inline=true'))
  const listing = await user.get('/')
  expect(listing.status).toBe(200)
  expect(listing.text).toContain('a.txt')
  const file = await user.get('/a.txt')
  expect(file.status).toBe(200)
  expect(file.text).not.toContain('alpha')
  expect(json(file)).not.toHaveProperty('content')
})

test('a text file is read-only without the modify permission', async () => {
  expect(json(await (await who('modify')).get('/a.txt')).type).toBe('textImmutable')
  expect(json(await (await who('create')).get('/a.txt')).type).toBe('text')
  expect(json(await (await who('modify')).get('/')).items).not.toContainEqual(
    expect.objectContaining({ type: 'textImmutable' }),
  )
})

test('a user without any permission can only list', async () => {
  const user = await who('none')
  expect((await user.get('/docs')).status).toBe(200)
  expect((await user.usage('/')).status).toBe(200)
  await unchanged(() => user.raw('/a.txt'))
  await unchanged(() => user.put('/new.txt', 'x'))
  await unchanged(() => user.put('/a.txt', 'x', '?override=true'))
  await unchanged(() => user.remove('/a.txt'))
})

test('a user with create alone uploads files and downloads none', async () => {
  const user = await who('creator')
  expect((await user.put('/drop/box.txt', 'dropped')).status).toBe(200)
  await unchanged(() => user.raw('/drop/box.txt'))
  await unchanged(() => user.put('/drop/box.txt', 'other', '?override=true'))
  await unchanged(() => user.remove('/drop/box.txt'))
})
