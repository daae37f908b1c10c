import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, encode, json, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { corner, openInstance } from './instance.ts'
import { enrol, PASSWORD } from './people.ts'
import { openSocket } from './raw.ts'

const server = await openInstance()
const RULED = uniqueName('ruled')
await enrol(server, [
  { name: 'reader', may: [] },
  { name: 'ruled', may: [], rules: [{ path: `/${RULED}/deny` }] },
  { name: 'neat', may: [], hideDotfiles: true },
])
const token = await signIn(server)

interface Hit {
  path: string
  dir: boolean
}

const search = (folder: string, query: string, headers: Record<string, string> = {}, who = token) =>
  call(server, `/api/search${encode(folder)}?query=${encodeURIComponent(query)}`, { token: who, headers })
const found = async (folder: string, query: string, who = token): Promise<string[]> =>
  json(await search(folder, query, {}, who)).map((hit: Hit) => hit.path)

const { path: folder, disk } = await corner(server)
const at = (name: string) => join(disk, name)

beforeAll(async () => {
  for (const name of ['docs/deep/er', 'photos', 'Report.d']) await mkdir(at(name), { recursive: true })
  const files = [
    'docs/report.txt',
    'docs/deep/er/Report 2.pdf',
    'photos/a.PNG',
    'photos/b.jpg',
    'photos/c.mp4',
    'x.mp3',
  ]
  for (const name of files) await writeFile(at(name), name)
})

describe('a search', () => {
  test('returns paths below the folder and which are folders, as one array', async () => {
    const answer = await search(`${folder}/`, 'report')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(json(answer)).toEqual([
      { path: 'Report.d', dir: true },
      { path: 'docs/deep/er/Report 2.pdf', dir: false },
      { path: 'docs/report.txt', dir: false },
    ])
  })

  test('streams one result per line on request', async () => {
    const answer = await search(folder, 'report', { Accept: 'application/x-ndjson' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.text.endsWith('\n')).toBe(true)
    const lines = answer.text.trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).path)).toEqual(await found(folder, 'report'))
  })

  test('from a folder below returns paths from there', async () => {
    expect(await found(`${folder}/docs`, 'report')).toEqual(['deep/er/Report 2.pdf', 'report.txt'])
  })

  test('from the root includes everything', async () => {
    expect(await found('/', 'report')).toContain(`${folder.slice(1)}/docs/report.txt`)
  })

  test.each([
    ['type:image', ['photos/a.PNG', 'photos/b.jpg']],
    ['type:video', ['photos/c.mp4']],
    ['type:audio', ['x.mp3']],
    ['type:music', ['x.mp3']],
    ['type:pdf', ['docs/deep/er/Report 2.pdf']],
    ['type:pdf type:video', ['docs/deep/er/Report 2.pdf', 'photos/c.mp4']],
    ['type:image b', ['photos/b.jpg']],
    ['case:sensitive report', ['docs/report.txt']],
    ['"report 2"', ['docs/deep/er/Report 2.pdf']],
    ['mp4  mp3', ['photos/c.mp4', 'x.mp3']],
    ['no such name', []],
  ])('for %s has the expected results', async (query, paths) => {
    expect(await found(folder, query)).toEqual(paths)
  })

  test.each(['', ' '])('for %j finds everything', async query => {
    expect(await found(folder, query)).toHaveLength(11)
  })

  test('with details has the size of files and the time of the last change, in the same order', async () => {
    const times = { at: new Date('2026-02-03T04:05:06Z') }
    await utimes(at('docs/report.txt'), times.at, times.at)
    const answer = await call(server, `/api/search${encode(folder)}?query=report&details=true`, { token })
    const hits = json(answer)
    expect(hits).toEqual([
      { path: 'Report.d', dir: true, modified: expect.any(String) },
      { path: 'docs/deep/er/Report 2.pdf', dir: false, size: 25, modified: expect.any(String) },
      { path: 'docs/report.txt', dir: false, size: 15, modified: expect.any(String) },
    ])
    expect(Date.parse(hits[2].modified)).toBe(times.at.getTime())
  })

  test('restricts sizes and times', async () => {
    const { path: sized, disk: place } = await corner(server)
    await mkdir(join(place, 'folder'))
    for (const [name, bytes, day] of [
      ['small', 10, '2026-02-03'],
      ['middle', 3000, '2026-02-04'],
      ['large', 3_000_000, '2026-02-05'],
    ] as const) {
      await writeFile(join(place, name), Buffer.alloc(bytes))
      await utimes(join(place, name), new Date(`${day}T12:00Z`), new Date(`${day}T12:00Z`))
    }
    expect(await found(sized, 'size:>2K')).toEqual(['large', 'middle'])
    expect(await found(sized, 'size:1K..1MB')).toEqual(['middle'])
    expect(await found(sized, 'size:<1MB l')).toEqual(['middle', 'small'])
    expect(await found(sized, 'modified:2026-02-03..2026-02-04')).toEqual(['middle', 'small'])
    expect(await found(sized, 'modified:2026-02-04T12:00:01Z.. size:>1')).toEqual(['large'])
    expect(await found(sized, 'modified:day')).toEqual(['folder'])
  })

  test('restricts to items with a tag', async () => {
    const tag = json(
      await call(server, '/api/tags', {
        method: 'POST',
        token,
        body: JSON.stringify({ name: `Urgent ${RULED}`, colour: 'red', shared: false }),
      }),
    )
    const paths = ['docs', 'docs/report.txt', 'photos/b.jpg'].map(name => `${folder}/${name}`)
    await call(server, '/api/tagged', {
      method: 'PUT',
      token,
      body: JSON.stringify({ paths, add: [tag.id], remove: [] }),
    })
    const query = `tag:"urgent ${RULED}"`
    expect(await found(folder, query)).toEqual(['docs', 'docs/report.txt', 'photos/b.jpg'])
    expect(await found(`${folder}/docs`, query)).toEqual(['report.txt'])
    expect(await found(folder, `${query} type:image`)).toEqual(['photos/b.jpg'])
    expect(await found(folder, `${query} tag:other`)).toEqual([])
    const reader = await signIn(server, 'reader', PASSWORD)
    expect(await found('/', query, reader)).toEqual([])
  })

  test('matches names, not their folders', async () => {
    expect(await found(folder, 'docs')).toEqual(['docs'])
  })

  test('of a missing folder, or of a file, finds nothing', async () => {
    for (const path of [`${folder}/missing`, `${folder}/x.mp3`]) {
      const answer = await search(path, 'x')
      expect(answer.status).toBe(200)
      expect(answer.text).toBe('[]')
    }
    const lines = await search(`${folder}/missing`, 'x', { Accept: 'application/x-ndjson' })
    expect(lines.text).toBe('')
  })

  test('needs an account and no permission', async () => {
    expect(await found(`${folder}/docs`, 'report', await signIn(server, 'reader', PASSWORD))).toHaveLength(2)
    expect((await call(server, '/api/search/?query=x')).status).toBe(401)
  })

  test.each([
    ['x'.repeat(1025), 'query: must be no longer than 1024 characters'],
    ['x '.repeat(65), 'query: must have no more than 64 words'],
    ['type:a '.repeat(65), 'query: must have no more than 64 words'],
  ])('beyond its limits is refused', async (query, cause) => {
    const answer = await search(folder, query)
    expect(answer.status).toBe(400)
    expect(answer.text).toBe(`400 Bad Request (${cause})\n`)
  })

  test('without a query finds everything', async () => {
    const answer = await call(server, `/api/search${folder}/docs`, { token })
    expect(json(answer)).toHaveLength(4)
  })

  test('of an invalid path is refused', async () => {
    expect((await call(server, '/api/search/a//b?query=x', { token })).status).toBe(400)
  })
})

describe('an entry the user may not see', () => {
  test('is not found, nor anything below it', async () => {
    const ruled = await signIn(server, 'ruled', PASSWORD)
    for (const name of [`${RULED}/deny/inner`, `${RULED}/free`])
      await mkdir(join(server.root, name), { recursive: true })
    await writeFile(join(server.root, `${RULED}/deny/inner/needle`), '')
    await writeFile(join(server.root, `${RULED}/free/needle`), '')
    expect(await found(`/${RULED}`, 'needle', ruled)).toEqual(['free/needle'])
    expect(await found(`/${RULED}`, '', ruled)).toEqual(['free', 'free/needle'])
    expect(await found(`/${RULED}`, 'needle')).toEqual(['deny/inner/needle', 'free/needle'])
    const [there, missing] = [
      await search(`/${RULED}/deny`, '', {}, ruled),
      await search(`/${RULED}/deny/no`, '', {}, ruled),
    ]
    expect([there.status, missing.status]).toEqual([403, 403])
    expect(there.text).toBe(missing.text)
  })

  test('with a leading dot is not found by users who hide such names', async () => {
    const neat = await signIn(server, 'neat', PASSWORD)
    const { path, disk } = await corner(server)
    await mkdir(join(disk, '.git'))
    await writeFile(join(disk, '.git/needle'), '')
    await writeFile(join(disk, 'needle'), '')
    expect(await found(path, '', neat)).toEqual(['needle'])
    expect(await found(path, 'needle')).toEqual(['.git/needle', 'needle'])
  })

  test('LINK-06 behind a link is not found, and loops end', async () => {
    const { path, disk } = await corner(server)
    await mkdir(join(disk, 'real'))
    await writeFile(join(disk, 'real/needle'), '')
    await symlink('real', join(disk, 'alias'))
    await symlink('..', join(disk, 'real/loop'))
    await symlink(tmpdir(), join(disk, 'out'))
    expect(await found(path, 'needle')).toEqual(['real/needle'])
    expect(await found(path, '')).not.toContainEqual(expect.stringMatching(/^out./))
  })
})

test('every odd name is found unchanged', async () => {
  const { path, disk } = await corner(server)
  for (const name of HOSTILE_NAMES) await writeFile(join(disk, name), '')
  const all = await found(path, '')
  expect(all.sort()).toEqual([...HOSTILE_NAMES].sort())
})

test('DIR-05 an aborted search leaves the server idle', async () => {
  const { path, disk } = await corner(server)
  for (let index = 0; index < 40; index += 1)
    await mkdir(join(disk, `d${index}/${'sub/'.repeat(5)}`), { recursive: true })
  for (let round = 0; round < 10; round += 1) {
    const socket = await openSocket(server)
    socket.on('error', () => {})
    socket.write(`GET ${server.base}/api/search${path}?query= HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n\r\n`)
    socket.resetAndDestroy()
  }
  expect(await found(path, 'd39')).toEqual(['d39'])
})
