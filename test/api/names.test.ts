import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, person } from './client.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { corner, openInstance } from './instance.ts'
import { rawRequest } from './raw.ts'

const wire = await openInstance()
const admin = await person(wire)

test.each(HOSTILE_NAMES.map(name => [JSON.stringify(name).slice(0, 60), name]))(
  'a file named %s is uploaded, listed, read and deleted under exactly that name',
  async (_shown, name) => {
    const { path, disk } = await corner(wire)
    const file = `${path}/${name}`
    expect((await admin.put(file, `content of ${name}`)).status).toBe(200)
    expect(await readdir(disk)).toEqual([name])
    expect(await readFile(join(disk, name), 'utf8')).toBe(`content of ${name}`)
    expect(json(await admin.get(path)).items).toMatchObject([{ name, path: file }])
    expect(json(await admin.get(file))).toMatchObject({ name, path: file })
    expect((await admin.raw(file)).text).toBe(`content of ${name}`)
    expect((await admin.remove(file)).status).toBe(204)
    expect(await readdir(disk)).toEqual([])
  },
)

test('a folder with a hostile name is created, entered and deleted', async () => {
  const { path, disk } = await corner(wire)
  const folder = `${path}/100% #1? a+b\\c\n[é]`
  expect((await admin.put(`${folder}/`)).status).toBe(200)
  expect((await admin.put(`${folder}/inner.txt`, 'inner')).status).toBe(200)
  expect(json(await admin.get(folder)).items).toMatchObject([{ name: 'inner.txt', path: `${folder}/inner.txt` }])
  expect((await admin.remove(folder)).status).toBe(204)
  expect(await readdir(disk)).toEqual([])
})

test('NAME-03 the composed and the decomposed é are two files', async () => {
  const { path, disk } = await corner(wire)
  const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt']
  await admin.put(`${path}/${composed}`, 'composed')
  await admin.put(`${path}/${decomposed}`, 'decomposed')
  expect((await readdir(disk)).length).toBe(2)
  expect((await admin.raw(`${path}/${composed}`)).text).toBe('composed')
  expect((await admin.raw(`${path}/${decomposed}`)).text).toBe('decomposed')
})

test('NAME-01 a name of 256 bytes is refused with a reason', async () => {
  const { path, disk } = await corner(wire)
  for (const name of ['x'.repeat(256), `x${'ü'.repeat(128)}`]) {
    for (const answer of [await admin.put(`${path}/${name}`, 'x'), await admin.put(`${path}/${name}/`)]) {
      expect(answer.status).toBe(400)
      expect(answer.text).toMatch(/^400 Bad Request \(.*too.long.*\)\n$/)
    }
  }
  expect(await readdir(disk)).toEqual([])
})

test('an encoded slash separates folders', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'alpha')
  const target = `${wire.base}/api/raw${path}%2Fa.txt`
  const answer = await rawRequest(wire, { target, headers: { 'X-Auth': admin.token } })
  expect(answer.status).toBe(200)
  expect(answer.body.toString()).toBe('alpha')
})

test('a doubly encoded name is decoded once', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a%2Fb'), 'literal')
  expect((await admin.raw(`${path}/a%2Fb`)).text).toBe('literal')
  expect((await admin.raw(`${path}/a/b`)).status).toBe(404)
})

test('a name that is not valid UTF-8 does not hide the rest of its folder', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(Buffer.concat([Buffer.from(`${disk}/b`), Buffer.from([0xff]), Buffer.from('d')]), 'odd')
  await writeFile(join(disk, 'fine.txt'), 'fine')
  const answer = await admin.get(path)
  expect(answer.status).toBe(200)
  expect(json(answer).items.map((item: { name: string }) => item.name)).toContain('fine.txt')
})
