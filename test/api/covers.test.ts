import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FolderCover } from '../../shared/api/covers.ts'
import { call, encode, json, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const owner = await person(wire)
const ask = (path: string, { token } = owner) => call(wire, `/api/covers${encode(path)}`, { token })
const names = async (path: string, who = owner) =>
  (json(await ask(path, who)) as FolderCover).items.map(({ name }) => name)

/** Files of one second after the other. */
async function inOrder(disk: string, files: readonly string[]): Promise<void> {
  for (const [index, name] of files.entries()) {
    await writeFile(join(disk, name), name)
    await utimes(join(disk, name), 1_700_000_000 + index, 1_700_000_000 + index)
  }
}

test('the four newest images in a folder stand for it, the newest first', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'z.jpg'))
  await inOrder(disk, ['a.jpg', 'b.PNG', 'c.heic', 'd.txt', 'e.webp', 'f.mp4', 'g.nef'])
  const { items } = json(await ask(path)) as FolderCover
  expect(items.map(({ name }) => name)).toEqual(['g.nef', 'e.webp', 'c.heic', 'b.PNG'])
  expect(Date.parse(items[0]?.modified ?? '')).toBe(1_700_000_006_000)
})

test('an image named cover or folder stands for its folder alone', async () => {
  const { path, disk } = await corner(wire)
  await inOrder(disk, ['Cover.JPG', 'a.jpg', 'cover.txt'])
  expect(await names(path)).toEqual(['Cover.JPG'])
  await mkdir(join(disk, 'music'))
  await inOrder(join(disk, 'music'), ['folder.png', 'b.jpg'])
  expect(await names(`${path}/music`)).toEqual(['folder.png'])
})

test('a folder without images has none, and a file is no folder', async () => {
  const { path, disk } = await corner(wire)
  await inOrder(disk, ['a.txt'])
  expect(await names(path)).toEqual([])
  expect((await ask(`${path}/a.txt`)).status).toBe(409)
  expect((await ask(`${path}/gone`)).status).toBe(404)
})

test('images that a rule hides stand for nothing, and the right to download is needed', async () => {
  const { path, disk } = await corner(wire)
  await inOrder(disk, ['a.jpg', 'secret.jpg'])
  const [ann, ben] = [uniqueName('ann'), uniqueName('ben')]
  await enrol(wire, [
    { name: ann, may: EVERYTHING, rules: [{ path: `${path}/secret.jpg` }] },
    { name: ben, may: ['create'] },
  ])
  expect(await names(path, await person(wire, ann, PASSWORD))).toEqual(['a.jpg'])
  expect((await ask(path, await person(wire, ben, PASSWORD))).status).toBe(403)
})
