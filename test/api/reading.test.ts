import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, encode, json, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'

const BLIND = uniqueName('blind')
const READER = uniqueName('reader')
const RULED = uniqueName('ruled')
const wire = await openInstance()
await enrol(wire, [
  { name: BLIND, may: ['create', 'modify'] },
  { name: READER, may: ['download'], rules: [{ path: `/${RULED}/b` }], hideDotfiles: true },
])
const admin = await person(wire)
const blind = await person(wire, BLIND, PASSWORD)
const reader = await person(wire, READER, PASSWORD)
const { path: folder, disk } = await corner(wire)

describe('a checksum', () => {
  const content = Buffer.alloc(3_000_000, 'some bytes ')

  test.each(['md5', 'sha1', 'sha256', 'sha512'])('by %s is that of the bytes, without the content', async algo => {
    await writeFile(join(disk, 'c.txt'), content)
    const answer = await admin.get(`${folder}/c.txt`, `?checksum=${algo}`)
    expect(answer.status).toBe(200)
    expect(json(answer).checksums).toEqual({ [algo]: createHash(algo).update(content).digest('hex') })
    expect(json(answer)).not.toHaveProperty('content')
    expect(json(answer)).toMatchObject({ name: 'c.txt', size: content.length, type: 'text' })
  })

  test('of an empty file is that of no bytes', async () => {
    await writeFile(join(disk, 'empty'), '')
    expect(json(await admin.get(`${folder}/empty`, '?checksum=md5')).checksums.md5).toMatch(/^d41d8cd98f/)
  })

  test.each(['crc32', 'SHA1', '__proto__', 'sha1,md5'])('by %s is refused', async algo => {
    const answer = await admin.get(`${folder}/c.txt`, `?checksum=${algo}`)
    expect([answer.status, answer.text]).toEqual([400, '400 Bad Request\n'])
  })

  test('requires the download permission', async () => {
    const answer = await blind.get(`${folder}/c.txt`, '?checksum=sha256')
    expect(answer.status).toBe(403)
    expect(answer.text).not.toMatch(/[0-9a-f]{32}/)
  })

  test('is ignored for a folder', async () => {
    const answer = await admin.get(folder, '?checksum=nonsense')
    expect(answer.status).toBe(200)
    expect(json(answer)).not.toHaveProperty('checksums')
  })

  test('of a pipe is refused at once', async () => {
    execFileSync('mkfifo', [join(disk, 'pipe')])
    expect((await admin.get(`${folder}/pipe`, '?checksum=md5')).status).toBe(403)
    await rm(join(disk, 'pipe'))
  })
})

describe('X-Encoding: true', () => {
  const bytes = (path: string, token: string, query = '') =>
    call(wire, `/api/resources${encode(path)}${query}`, { token, headers: { 'X-Encoding': 'true' } })

  test('returns the bytes of a text unchanged, and takes precedence over a checksum', async () => {
    const latin = Buffer.from('café', 'latin1')
    await writeFile(join(disk, 'latin.txt'), latin)
    const answer = await bytes(`${folder}/latin.txt`, admin.token, '?checksum=md5')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.bytes.equals(latin)).toBe(true)
  })

  test('returns no bytes for an empty text', async () => {
    await writeFile(join(disk, 'empty.txt'), '')
    expect((await bytes(`${folder}/empty.txt`, admin.token)).bytes).toHaveLength(0)
  })

  test('has no effect on other types and folders', async () => {
    await writeFile(join(disk, 'x.png'), 'no picture')
    expect(json(await bytes(`${folder}/x.png`, admin.token)).type).toBe('image')
    expect(json(await bytes(folder, admin.token)).isDir).toBe(true)
    expect(json(await bytes(`${folder}/latin.txt`, reader.token)).type).toBe('textImmutable')
  })

  test('requires the download permission', async () => {
    expect((await bytes(`${folder}/latin.txt`, blind.token)).status).toBe(403)
  })
})

describe('a recursive listing', () => {
  const recursive = (path: string, who = admin) =>
    call(wire, `/api/resources/recursive${encode(path)}`, { token: who.token })
  const pathsIn = async (path: string, who = admin) =>
    json(await recursive(path, who)).map((item: { path: string }) => item.path)

  test('is flat, depth first, in byte order, without the folder itself', async () => {
    const { path, disk: place } = await corner(wire)
    await mkdir(join(place, 'b/c'), { recursive: true })
    for (const name of ['a', 'b/z', 'b/c/d', 'ü', 'B']) await writeFile(join(place, name), name)
    await symlink('b', join(place, 'link'))
    const answer = await recursive(path)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const names = ['B', 'a', 'b', 'b/c', 'b/c/d', 'b/z', 'link', 'ü']
    expect(await pathsIn(path)).toEqual(names.map(name => `${path}/${name}`))
    expect(await pathsIn(`${path}/`)).toHaveLength(8)
    const [first] = json(answer)
    expect(first).toEqual({
      path: `${path}/B`,
      name: 'B',
      size: 1,
      modified: expect.stringMatching(/^\d{4}-.*Z$/),
      isDir: false,
    })
  })

  test('of an empty folder is an empty array', async () => {
    expect((await recursive((await corner(wire)).path)).text).toBe('[]')
  })

  test('of a file is refused, of a missing path not found', async () => {
    const answer = await recursive(`${folder}/latin.txt`)
    expect([answer.status, answer.text]).toEqual([400, '400 Bad Request (path is not a directory)\n'])
    expect((await recursive(`${folder}/gone`)).status).toBe(404)
  })

  test('leaves out denied and hidden entries, with all below', async () => {
    await mkdir(join(wire.root, `${RULED}/b/c`), { recursive: true })
    await mkdir(join(wire.root, `${RULED}/.dot`), { recursive: true })
    for (const name of ['a', 'b/c/d', '.dot/e']) await writeFile(join(wire.root, RULED, name), name)
    expect(await pathsIn(`/${RULED}`, reader)).toEqual([`/${RULED}/a`])
    expect((await recursive(`/${RULED}/b`, reader)).status).toBe(403)
  })

  test('of the root needs no path', async () => {
    expect(await pathsIn('')).toContain(folder)
    expect(await pathsIn('/')).toContain(folder)
  })

  test('of a large tree is complete', async () => {
    const { path, disk: place } = await corner(wire)
    await Promise.all(Array.from({ length: 3000 }, (_, index) => writeFile(join(place, `f${index}`), '')))
    expect(await pathsIn(path)).toHaveLength(3000)
  })

  test('NAME-08 does not affect real files of the same names', async () => {
    await writeFile(join(wire.root, 'recursive-notes.txt'), 'notes')
    expect(json(await admin.get('/recursive-notes.txt')).content).toBe('notes')
    await mkdir(join(wire.root, 'recursive'))
    await writeFile(join(wire.root, 'recursive/real.txt'), 'real')
    expect(json(await admin.get('/recursive')).isDir).toBe(true)
    expect(json(await admin.get('/recursive/')).path).toBe('/recursive/')
    expect(json(await admin.get('/recursive/real.txt')).content).toBe('real')
    await rm(join(wire.root, 'recursive'), { recursive: true })
    await rm(join(wire.root, 'recursive-notes.txt'))
  })
})
