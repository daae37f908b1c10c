import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { json, type Person, person } from '../api/client.ts'
import { corner, outsideFolder, serve } from '../api/instance.ts'
import { linkTo, load, viewShare } from '../api/links-client.ts'
import { EVERYTHING, enrol, PASSWORD } from '../api/people.ts'

const flags = ['--disableTypeDetectionByHeader', '--disableImageResolutionCalc', '--followExternalSymlinks']
const usual = await serve()
const server = await serve({ args: flags })
const place = await corner(server)
await enrol(server, [
  { name: 'ann', may: EVERYTHING, rules: [{ path: `${place.path}/out/secret.txt` }, { path: `${place.path}/in` }] },
])
const admin = await person(server)
const ann = await person(server, 'ann', PASSWORD)

async function plant(folder: string): Promise<void> {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
  await writeFile(join(folder, 'NOTES'), 'plain words')
  await writeFile(join(folder, 'photo.png'), await image.png().toBuffer())
}

const typesIn = async (who: Person, path: string) =>
  json(await who.get(path)).items.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`)

test('types in a listing are detected by content where names do not determine them, and images are measured', async () => {
  const { disk, path } = await corner(usual)
  await plant(disk)
  const user = await person(usual)
  expect(await typesIn(user, path)).toEqual(['NOTES text', 'photo.png image'])
  expect(json(await user.get(`${path}/photo.png`)).resolution).toEqual({ width: 30, height: 20 })
  expect(json(await user.get(`${path}/NOTES`))).not.toHaveProperty('resolution')
})

test('a host may detect types by name alone, without measuring images', async () => {
  const { disk, path } = await corner(server)
  await plant(disk)
  expect(await typesIn(admin, path)).toEqual(['NOTES blob', 'photo.png image'])
  expect(json(await admin.get(`${path}/NOTES`)).type).toBe('text')
  expect(json(await admin.get(`${path}/photo.png`))).not.toHaveProperty('resolution')
})

test('with links out allowed, the rules for the path of the link apply', async () => {
  const outside = await outsideFolder()
  await writeFile(join(outside, 'a.txt'), 'from outside')
  await writeFile(join(outside, 'secret.txt'), 'not for ann')
  await mkdir(join(place.disk, 'in'))
  await symlink(outside, join(place.disk, 'out'))
  await symlink(join(place.disk, 'in'), join(outside, 'back'))
  const out = `${place.path}/out`
  expect(await typesIn(admin, out)).toEqual(['back ', 'a.txt text', 'secret.txt text'])
  expect(json(await admin.get(`${out}/a.txt`)).content).toBe('from outside')
  const share = await linkTo(server, admin.token, out)
  expect(json(await viewShare(server, share.hash)).numFiles).toBe(2)
  expect((await load(server, share.hash, '/a.txt')).text).toBe('from outside')

  expect(await typesIn(ann, out)).toEqual(['a.txt text'])
  for (const denied of ['/secret.txt', '/back', '/back/none']) expect((await ann.get(out + denied)).status).toBe(403)
  expect((await ann.put(`${out}/new.txt`, 'new')).status).toBe(200)
  expect(await readFile(join(outside, 'new.txt'), 'utf8')).toBe('new')
  expect((await ann.remove(`${out}/a.txt`)).status).toBe(204)
  expect((await admin.remove(out)).status).toBe(204)
  expect((await readdir(outside)).sort()).toEqual(['back', 'new.txt', 'secret.txt'])
})
