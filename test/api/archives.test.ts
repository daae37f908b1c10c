import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, call, encode, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance, outsideFolder } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'
import { FORMATS, listing, unpack } from './unpack.ts'

const READER = uniqueName('reader')
const BLIND = uniqueName('blind')
const wire = await openInstance()
await enrol(wire, [
  {
    name: READER,
    may: ['download'],
    rules: [{ path: '/ruled/secret' }, { regex: true, regexp: { raw: 'hush' } }],
  },
  { name: BLIND, may: ['create'] },
])
const admin = await person(wire)
const reader = await person(wire, READER, PASSWORD)
const blind = await person(wire, BLIND, PASSWORD)
const WHEN = new Date('2024-02-29T12:34:56Z')

const { path: folder, disk } = await corner(wire)
await mkdir(join(disk, 'sub/empty'), { recursive: true })
await writeFile(join(disk, 'a.txt'), 'alpha')
await writeFile(join(disk, 'sub/b.bin'), Buffer.alloc(300_000, 'xyz'))
await writeFile(join(disk, 'sub/nothing'), '')
await writeFile(join(disk, 'sub/ünï😀.txt'), 'unicode')
await writeFile(join(disk, `sub/${'n'.repeat(251)}.txt`), 'long')
await chmod(join(disk, 'a.txt'), 0o604)
await utimes(join(disk, 'a.txt'), WHEN, WHEN)

const EVERYTHING: Readonly<Record<string, string>> = {
  'a.txt': 'alpha',
  'sub/': '',
  'sub/b.bin': 'xyz'.repeat(100_000),
  'sub/empty/': '',
  'sub/nothing': '',
  'sub/ünï😀.txt': 'unicode',
  [`sub/${'n'.repeat(251)}.txt`]: 'long',
}

const nameOf = (answer: Answer) => answer.headers.get('content-disposition')
const folderOf = (path: string) => path.slice(1)

describe.each(FORMATS)('an archive as %s', (algo, extension, type) => {
  test('ARCH-01 contains the folder’s content unchanged', async () => {
    const answer = await admin.raw(folder, `?algo=${algo}`)
    expect(answer.status).toBe(200)
    expect(await unpack(answer.bytes, extension)).toEqual(EVERYTHING)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(nameOf(answer)).toBe(`attachment; filename*=utf-8''${folderOf(folder)}${extension}`)
  })

  test('preserves modes and times', async () => {
    const entry = (await listing((await admin.raw(folder, `?algo=${algo}`)).bytes, extension)).get('a.txt')
    expect(entry).toMatchObject({ mode: 0o604, modified: WHEN.getTime() / 1000 })
  })
})

test.each(['', '?algo=', '?algo=true'])('without a format (%s) it is a zip', async query => {
  const answer = await admin.raw(folder, query)
  expect(nameOf(answer)).toMatch(/\.zip$/)
  expect(Object.keys(await unpack(answer.bytes, '.zip'))).toHaveLength(7)
})

test.each(['rar', 'ZIP', '7z', '__proto__', 'tar.gz2'])('the format %s is refused', async algo => {
  expect((await admin.raw(folder, `?algo=${algo}`)).status).toBe(400)
})

test('a small zip announces its exact length', async () => {
  const answer = await admin.raw(folder, '?algo=zip')
  expect(Number(answer.headers.get('content-length'))).toBe(answer.bytes.length)
})

describe('a zip of known length', () => {
  const part = (path: string, headers: Record<string, string>, query = '') =>
    call(wire, `/api/raw${encode(path)}${query}`, { token: admin.token, headers })

  test('is resumed by range after an interruption, also one with an error file', async () => {
    const query = '?files=a.txt,sub,gone.txt'
    const { bytes, headers } = await admin.raw(folder, query)
    expect(headers.get('accept-ranges')).toBe('bytes')
    const etag = headers.get('etag') ?? ''
    for (const start of [0, 7, 150_000, bytes.length - 1]) {
      const rest = await part(folder, { Range: `bytes=${start}-`, 'If-Range': etag }, query)
      expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag])
      expect(rest.headers.get('content-range')).toBe(`bytes ${start}-${bytes.length - 1}/${bytes.length}`)
      expect(rest.bytes.equals(bytes.subarray(start))).toBe(true)
    }
    const middle = await part(folder, { Range: 'bytes=100-299999' }, query)
    expect(middle.bytes.equals(bytes.subarray(100, 300_000))).toBe(true)
    expect((await part(folder, { Range: `bytes=${bytes.length}-` }, query)).status).toBe(416)
    expect((await part(folder, { Range: 'bytes=0-1,5-6' }, query)).bytes.equals(bytes)).toBe(true)
    expect((await part(folder, { 'If-None-Match': etag }, query)).status).toBe(304)
    expect((await part(folder, { 'If-Match': '"another"' }, query)).status).toBe(412)
  })

  test('is sent whole when anything in it has changed', async () => {
    const { path, disk: place } = await corner(wire)
    await writeFile(join(place, 'a'), 'one')
    const { headers, bytes } = await admin.raw(path)
    await writeFile(join(place, 'a'), 'two')
    const again = await part(path, { Range: 'bytes=10-', 'If-Range': headers.get('etag') ?? '' })
    expect([again.status, again.bytes.length]).toEqual([200, bytes.length])
    expect(await unpack(again.bytes, '.zip')).toEqual({ a: 'two' })
  })
})

test('HEAD returns the headers alone', async () => {
  const answer = await call(wire, `/api/raw${folder}?algo=tarxz`, { method: 'HEAD', token: admin.token })
  expect(answer.status).toBe(200)
  expect(nameOf(answer)).toMatch(/\.tar\.xz$/)
})

describe('a selection', () => {
  const zipOf = async (query: string, who = admin) => {
    const answer = await who.raw(folder, query)
    return { answer, content: answer.status === 200 ? await unpack(answer.bytes, '.zip') : {} }
  }

  test('of several items keeps their names below the folder they share', async () => {
    const { answer, content } = await zipOf('?files=a.txt,sub/nothing')
    expect(content).toEqual({ 'a.txt': 'alpha', 'sub/': '', 'sub/nothing': '' })
    expect(nameOf(answer)).toBe(`attachment; filename*=utf-8''_${folderOf(folder)}.zip`)
  })

  test('below one sub-folder is named after that folder', async () => {
    const { answer, content } = await zipOf('?files=/sub/nothing,/sub/empty')
    expect(Object.keys(content).sort()).toEqual(['empty/', 'nothing'])
    expect(nameOf(answer)).toBe(`attachment; filename*=utf-8''_sub.zip`)
  })

  test('of a single file contains that file', async () => {
    const { answer, content } = await zipOf('?files=a.txt')
    expect(content).toEqual({ 'a.txt': 'alpha' })
    expect(nameOf(answer)).toBe(`attachment; filename*=utf-8''a.txt.zip`)
  })

  test('of a single folder contains its content', async () => {
    const { answer, content } = await zipOf('?files=sub/empty')
    expect(content).toEqual({})
    expect(nameOf(answer)).toBe(`attachment; filename*=utf-8''empty.zip`)
  })

  test('of the whole root is not named after a path on the server', async () => {
    const answer = await admin.raw('/', '?files=nowhere-1,nowhere-2')
    expect(answer.status).toBe(404)
    const both = await admin.raw('/', `?files=${encode(folderOf(folder))},nowhere`)
    expect(nameOf(both)).toBe(`attachment; filename*=utf-8''_${folderOf(folder)}.zip`)
  })

  test('accepts names with commas, pluses and percent signs, encoded twice', async () => {
    for (const name of ['x,y', 'x+y', '100%', 'x y']) await writeFile(join(disk, 'sub/empty', name), name)
    const names = ['x,y', 'x+y', '100%', 'x y'].map(name => encodeURIComponent(encodeURIComponent(name)))
    const answer = await admin.raw(`${folder}/sub/empty`, `?files=${names.join(',')}`)
    expect(Object.keys(await unpack(answer.bytes, '.zip')).sort()).toEqual(['100%', 'x y', 'x+y', 'x,y'])
    const repeated = ['x,y', 'x+y'].map(name => `file=${encodeURIComponent(name)}`).join('&')
    const other = await admin.raw(`${folder}/sub/empty`, `?${repeated}`)
    expect(Object.keys(await unpack(other.bytes, '.zip')).sort()).toEqual(['x+y', 'x,y'])
    await Promise.all(['x,y', 'x+y', '100%', 'x y'].map(name => admin.remove(`${folder}/sub/empty/${name}`)))
  })

  test('lists missing items in an error file', async () => {
    const { content } = await zipOf('?files=a.txt,gone.txt')
    expect(Object.keys(content).sort()).toEqual(['_errors.txt', 'a.txt'])
    expect(content['_errors.txt']).toContain(`${folder}/gone.txt: is not there`)
  })

  test('of missing items alone is not found', async () => {
    expect((await zipOf('?files=gone.txt')).answer.status).toBe(404)
  })

  test.each(['..', '../', 'a/../..', '%252e%252e/x', 'x%2500'])(
    'ARCH-06 outside the folder (%s) is refused',
    async name => {
      expect((await zipOf(`?files=${name}`)).answer.status).toBe(400)
    },
  )

  test('ARCH-06 of an item named twice, or of a folder and its content, has it once', async () => {
    const { content } = await zipOf('?files=sub,sub/nothing,a.txt,a.txt')
    expect(Object.keys(content).sort()).toEqual(Object.keys(EVERYTHING).sort())
  })
})

test('without the download permission there is no archive, not even an empty one', async () => {
  const { path, disk: empty } = await corner(wire)
  expect((await blind.raw(path, '?algo=tar')).status).toBe(403)
  await writeFile(join(empty, 'x'), 'x')
  expect((await blind.raw(path, '?files=x')).status).toBe(403)
})

test('RULE-02 rules apply to every entry, also to those named', async () => {
  await mkdir(join(wire.root, 'ruled/secret'), { recursive: true })
  await writeFile(join(wire.root, 'ruled/open.txt'), 'open')
  await writeFile(join(wire.root, 'ruled/secret/s.txt'), 'secret')
  await writeFile(join(wire.root, 'ruled/hush.txt'), 'secret')
  await symlink('secret/s.txt', join(wire.root, 'ruled/alias'))
  const whole = await reader.raw('/ruled')
  expect(await unpack(whole.bytes, '.zip')).toEqual({ 'open.txt': 'open' })
  expect((await reader.raw('/ruled', '?files=hush.txt')).status).toBe(403)
  expect((await reader.raw('/ruled', '?files=hush.gone')).status).toBe(403)
  const named = await unpack((await reader.raw('/ruled', '?files=open.txt,secret')).bytes, '.zip')
  expect(Object.values(named).join()).not.toContain('secret\n')
})

test('links to files inside are followed; links out, pipes and links to folders are left out and listed', async () => {
  const { path, disk: place } = await corner(wire)
  const outside = await outsideFolder()
  await mkdir(join(place, 'real'))
  await writeFile(join(place, 'real/file.txt'), 'inside')
  await writeFile(join(outside, 'outside.txt'), 'OUTSIDE')
  await symlink('real/file.txt', join(place, 'link.txt'))
  await symlink('real', join(place, 'folder-link'))
  await symlink(join(outside, 'outside.txt'), join(place, 'out.txt'))
  await symlink('..', join(place, 'real/up'))
  execFileSync('mkfifo', [join(place, 'pipe')])
  for (const [algo, extension] of FORMATS) {
    const content = await unpack((await admin.raw(path, `?algo=${algo}`)).bytes, extension)
    expect(Object.keys(content).sort()).toEqual(['_errors.txt', 'link.txt', 'real/', 'real/file.txt'])
    expect(content['link.txt']).toBe('inside')
    for (const name of ['folder-link', 'out.txt', 'real/up', 'pipe']) expect(content['_errors.txt']).toContain(name)
  }
})

test('ARCH-05 names with backslashes stay inside wherever they are unpacked, and stay distinct', async () => {
  const { path, disk: place } = await corner(wire)
  const names = ['..\\..\\evil.txt', 'C:\\x.txt', 'C__x.txt', '\\\\host\\s\\x', 'a\\b', 'a_b', 'a:b']
  for (const name of names) await writeFile(join(place, name), name)
  await mkdir(join(place, 'in\\ner'))
  await writeFile(join(place, 'in\\ner/file'), 'inner')
  for (const [algo, extension] of FORMATS) {
    const content = await unpack((await admin.raw(path, `?algo=${algo}`)).bytes, extension)
    expect(Object.values(content).sort()).toEqual([...names, '', 'inner'].sort())
    for (const name of Object.keys(content)) expect(name).not.toMatch(/\\|^[A-Za-z]:_|^\/|(^|\/)\.\.(\/|$)/)
    expect(content['in_ner/file']).toBe('inner')
  }
})

test('a file of the user called _errors.txt keeps its name', async () => {
  const { path, disk: place } = await corner(wire)
  await writeFile(join(place, '_errors.txt'), 'mine')
  await writeFile(join(place, 'b'), 'b')
  const content = await unpack((await admin.raw(path, '?files=_errors.txt,b,gone')).bytes, '.zip')
  expect(content['_errors.txt']).toBe('mine')
  expect(content['_errors(1).txt']).toContain('gone')
})

test('a folder of many files is complete', async () => {
  const { path, disk: place } = await corner(wire)
  await Promise.all(Array.from({ length: 2500 }, (_, index) => writeFile(join(place, `f${index}`), `${index}`)))
  expect(Object.keys(await unpack((await admin.raw(path)).bytes, '.zip'))).toHaveLength(2500)
})
