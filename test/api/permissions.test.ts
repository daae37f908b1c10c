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
  const someone = await who('create')
  await unchanged(() => someone.put('/new.txt', 'x'))
  await unchanged(() => someone.put('/new/'))
  await unchanged(() => someone.put('/new/deep/er.txt', 'x'))
  await unchanged(() => someone.put('/a.txt', 'x'))
})

test('without the modify permission nothing is replaced, but new files are created', async () => {
  const someone = await who('modify')
  await unchanged(() => someone.put('/a.txt', 'x', '?override=true'))
  expect((await someone.put('/a.txt', 'x')).status).toBe(409)
  expect((await someone.put('/modify-new.txt', 'x')).status).toBe(200)
  expect((await someone.put('/modify-newer.txt', 'x', '?override=true')).status).toBe(200)
})

test('without the delete permission nothing is deleted', async () => {
  const someone = await who('delete')
  await unchanged(() => someone.remove('/a.txt'))
  await unchanged(() => someone.remove('/docs/'))
  await unchanged(() => someone.remove('/never-made'))
})

test('without the download permission names are listed but no bytes are sent', async () => {
  const someone = await who('download')
  await unchanged(() => someone.raw('/a.txt'))
  await unchanged(() => someone.raw('/a.txt', '?inline=true'))
  const listing = await someone.get('/')
  expect(listing.status).toBe(200)
  expect(listing.text).toContain('a.txt')
  const file = await someone.get('/a.txt')
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
  const someone = await who('none')
  expect((await someone.get('/docs')).status).toBe(200)
  expect((await someone.usage('/')).status).toBe(200)
  await unchanged(() => someone.raw('/a.txt'))
  await unchanged(() => someone.put('/new.txt', 'x'))
  await unchanged(() => someone.put('/a.txt', 'x', '?override=true'))
  await unchanged(() => someone.remove('/a.txt'))
})

test('a user with create alone uploads files and downloads none', async () => {
  const someone = await who('creator')
  expect((await someone.put('/drop/box.txt', 'dropped')).status).toBe(200)
  await unchanged(() => someone.raw('/drop/box.txt'))
  await unchanged(() => someone.put('/drop/box.txt', 'other', '?override=true'))
  await unchanged(() => someone.remove('/drop/box.txt'))
})
