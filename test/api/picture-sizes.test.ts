import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { halves } from '../../server/features/previews/test-pictures.ts'
import type { PictureSizes } from '../../shared/api/picture-sizes.ts'
import { encodeName } from '../../shared/bytes.ts'
import { PICTURES_AT_ONCE } from '../../shared/limits.ts'
import { call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { linkTo } from './links-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const [looker, ruled] = [uniqueName('looker'), uniqueName('ruled')]
await enrol(wire, [
  { name: looker, may: [] },
  { name: ruled, may: EVERYTHING, rules: [{ regex: true, regexp: { raw: 'secret' } }] },
])
const admin = await person(wire)
const { path: folder, disk } = await corner(wire)
const wide = () => halves(600, 200)
const FILES: Record<string, string | Buffer> = {
  'wide.png': await wide().png().toBuffer(),
  'secret.png': await wide().png().toBuffer(),
  'turned.jpg': await wide().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  'mirrored.jpg': await wide().withMetadata({ orientation: 2 }).jpeg().toBuffer(),
  'wide.webp': await wide().webp().toBuffer(),
  'wide.avif': await sharp(await wide().png().toBuffer())
    .avif({ effort: 0 })
    .toBuffer(),
  'not.jpg': 'text',
  'a.txt': 'text',
}
for (const [name, content] of Object.entries(FILES)) await writeFile(join(disk, name), content)
await mkdir(join(disk, 'folder'))

const dated = () => wide().withExif({ IFD2: { DateTimeOriginal: '2024:05:01 23:34:56', OffsetTimeOriginal: '+09:00' } })

const ask = (path: string, names: readonly string[], who?: Person) => {
  const files = names.map(encodeName).join(',')
  return call(wire, `/api/${path}?${new URLSearchParams({ files })}`, who && { token: who.token })
}
const measure = (names: readonly string[], who?: Person) => ask(`picture-sizes${encode(folder)}`, names, who)
const sizesOf = async (names: readonly string[], who = admin): Promise<PictureSizes['sizes']> =>
  json(await measure(names, who)).sizes

test('images have the size in which they are shown, turned as their metadata say', async () => {
  const names = ['wide.png', 'turned.jpg', 'mirrored.jpg', 'wide.webp', 'wide.avif']
  const [wideOne, high] = [
    [600, 200],
    [200, 600],
  ]
  for (const _ of ['read', 'remembered'])
    expect(await sizesOf(names)).toEqual([wideOne, high, wideOne, wideOne, wideOne])
})

test('images say when they were taken, in the time of the camera', async () => {
  await writeFile(join(disk, 'dated.jpg'), await dated().jpeg().toBuffer())
  await writeFile(join(disk, 'dated.avif'), await dated().avif({ effort: 0 }).toBuffer())
  const names = ['dated.jpg', 'wide.png', 'dated.avif', 'not.jpg']
  const taken = '2024-05-01T23:34:56'
  for (const _ of ['read', 'remembered'])
    expect(json(await measure(names, admin)).taken).toEqual([taken, null, taken, null])
})

test('images have the colours of their preview once one was made', async () => {
  await writeFile(join(disk, 'sides.png'), await wide().png().toBuffer())
  const colours = async () => json(await measure(['sides.png', 'a.txt'], admin)).colours
  expect(await colours()).toEqual([null, null])
  const preview = `/api/preview/512${encode(`${folder}/sides.png`)}`
  expect((await call(wire, preview, { token: admin.token })).status).toBe(200)
  const [found, none] = await colours()
  expect(none).toBeNull()
  const [red, , blue] = [0, 1, 2].map(at => [...Buffer.from(found, 'base64').subarray(at * 3, at * 3 + 3)])
  expect(Buffer.from(found, 'base64').length).toBe(27)
  expect((red?.[0] ?? 0) - (red?.[2] ?? 0)).toBeGreaterThan(200)
  expect((blue?.[2] ?? 0) - (blue?.[0] ?? 0)).toBeGreaterThan(200)
})

test('other files, folders and missing names have none, and do not keep the rest from being measured', async () => {
  const names = ['a.txt', 'not.jpg', 'folder', 'missing.png', 'wide.png']
  expect(await sizesOf(names)).toEqual([null, null, null, null, [600, 200]])
})

test('a changed image is measured again', async () => {
  await writeFile(join(disk, 'changing.png'), await wide().png().toBuffer())
  expect(await sizesOf(['changing.png'])).toEqual([[600, 200]])
  await writeFile(join(disk, 'changing.png'), await halves(90, 40).png().toBuffer())
  expect(await sizesOf(['changing.png'])).toEqual([[90, 40]])
})

test('a rule hides sizes, and without the permission to download there are none', async () => {
  expect(await sizesOf(['secret.png', 'wide.png'], await person(wire, ruled, PASSWORD))).toEqual([null, [600, 200]])
  expect((await measure(['wide.png'], await person(wire, looker, PASSWORD))).status).toBe(403)
  expect((await measure(['wide.png'])).status).toBe(401)
})

test('no name, too many, and names that lead elsewhere are refused', async () => {
  const many = Array.from({ length: PICTURES_AT_ONCE + 1 }, (_, index) => `${index}.png`)
  for (const names of [[], many, ['..'], ['folder/a.png'], ['']]) expect((await measure(names, admin)).status).toBe(400)
})

test('a share link shows the sizes in its folder, and nothing next to it', async () => {
  await mkdir(join(disk, 'shared'))
  await writeFile(join(disk, 'shared/in.png'), await wide().png().toBuffer())
  const { hash } = await linkTo(wire, admin.token, `${folder}/shared/`)
  const shared = (path: string, names: readonly string[]) => ask(`public/picture-sizes/${path}`, names)
  expect(json(await shared(`${hash}/`, ['in.png', 'wide.png']))).toEqual({
    sizes: [[600, 200], null],
    taken: [null, null],
    colours: [null, null],
  })
  expect((await shared(`${hash}/`, ['..'])).status).toBe(400)
  expect((await shared('unknown', ['in.png'])).status).toBe(404)
  const locked = await linkTo(wire, admin.token, `${folder}/shared/`, { password: 'open sesame, please' })
  expect((await shared(`${locked.hash}/`, ['in.png'])).status).toBe(401)
})
