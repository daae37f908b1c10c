import { link, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DuplicateGroup, DuplicateRun, DuplicatesPage } from '../../shared/api/integrity.ts'
import type { ResolveAct } from '../../shared/api/jobs.ts'
import { call, json, person } from './client.ts'
import { corner, KEEPS_DELETED, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD, whole } from './people.ts'

const wire = await openInstance()
const admin = await person(wire)
await enrol(wire, [
  { name: 'duplicates-ruled', may: EVERYTHING, rules: [whole({ regex: true, regexp: { raw: '/secret(/|$)' } })] },
  { name: 'duplicates-blind', may: ['create'] },
])
const ruled = await person(wire, 'duplicates-ruled', PASSWORD)
const jobs = jobsOf(wire, admin)

const OLD = new Date('2020-01-01T00:00:00Z')

async function write(disk: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(disk, name, '..'), { recursive: true })
    await writeFile(join(disk, name), content)
    await utimes(join(disk, name), OLD, OLD)
  }
}

const page = async (run: string, token = admin.token, query = ''): Promise<DuplicatesPage> =>
  json(await call(wire, `/api/duplicates/${run}${query}`, { token }))

/** Searches a folder. @returns the id of the run */
const search = async (folder: string, least = 1, client = jobs) =>
  (await client.run({ kind: 'duplicates', items: [{ from: folder }], least })).id

const namesIn = (groups: readonly DuplicateGroup[], folder: string) =>
  groups.map(({ files }) => files.map(({ path }) => path.slice(folder.length + 1)).sort())

/** Two files with the same content; acts on the second. */
async function pair() {
  const { path, disk } = await corner(wire)
  await write(disk, { 'a.txt': 'the same content', 'b.txt': 'the same content' })
  const act = async (act: ResolveAct) => {
    const items = [{ from: `${path}/b.txt`, to: `${path}/a.txt` }]
    const [item] = (await jobs.run({ kind: 'resolve', act, items })).items ?? []
    return item
  }
  return { path, disk, act }
}

describe('a search for duplicates', () => {
  test('lists files with the same content, those with the most to gain first', async () => {
    const { path, disk } = await corner(wire)
    const large = 'a larger content '.repeat(20_000)
    await write(disk, {
      'a.txt': 'same',
      'deep/b.txt': 'same',
      'c.txt': 'else',
      'x.bin': large,
      'deep/y.bin': large,
      // The same size and ends, another middle.
      'z.bin': `${large.slice(0, 170_000)}B${large.slice(170_001)}`,
    })
    await link(join(disk, 'a.txt'), join(disk, 'another-name-of-a.txt'))
    const run = await search(path)
    const { groups, run: about, next } = await page(run)
    expect(namesIn(groups, path)).toEqual([
      ['deep/y.bin', 'x.bin'],
      [expect.stringMatching(/^a(nother-name-of-a)?\.txt$/), 'deep/b.txt'],
    ])
    expect(groups[0]).toMatchObject({ group: 1, size: large.length })
    expect(about).toMatchObject({ id: run, folder: path, least: 1, files: 7, skipped: 0 })
    expect(next).toBeUndefined()
    const listed: DuplicateRun[] = json(await call(wire, '/api/duplicates', { token: admin.token }))
    expect(listed[0]).toEqual(about)
    expect((await page(await search(path, 100_000))).groups).toHaveLength(1)
  })

  test('returns its groups in pages', async () => {
    const { path, disk } = await corner(wire)
    const files = Array.from({ length: 51 }, (_, index) => [`a${index}`, `b${index}`].map(name => [name, `${index}`]))
    await write(disk, Object.fromEntries(files.flat()))
    const run = await search(path)
    const first = await page(run)
    expect(first.groups).toHaveLength(50)
    expect(first.next).toBe(50)
    const last = await page(run, admin.token, '?after=50')
    expect(last.groups).toHaveLength(1)
    expect(last.next).toBeUndefined()
    const asked = await call(wire, `/api/duplicates/${run}?after=x`, { token: admin.token })
    expect(asked.status).toBe(400)
  })

  test('is its user’s, and shows what the user may see', async () => {
    const { path, disk } = await corner(wire)
    await write(disk, { 'a.txt': 'hidden twice', 'secret/b.txt': 'hidden twice' })
    const run = await search(path)
    expect((await page(run)).groups).toHaveLength(1)
    const answer = await call(wire, `/api/duplicates/${run}`, { token: ruled.token })
    expect(answer.status).toBe(404)
    expect((await call(wire, `/api/duplicates/${run}`)).status).toBe(401)
    expect((await call(wire, '/api/duplicates')).status).toBe(401)
    expect((await page(await search(path, 1, jobsOf(wire, ruled)), ruled.token)).groups).toEqual([])
    const blind = await person(wire, 'duplicates-blind', PASSWORD)
    const refused = await jobsOf(wire, blind).run({ kind: 'duplicates', items: [{ from: path }] })
    expect(refused.items).toMatchObject([{ state: 'failed', code: 'forbidden' }])
  })

  test('is of one folder, and says what happens to a duplicate', async () => {
    const two = [{ from: '/a' }, { from: '/b' }]
    expect((await jobs.ask({ kind: 'duplicates', items: two })).status).toBe(400)
    expect((await jobs.ask({ kind: 'resolve', items: [{ from: '/a', to: '/b' }] })).status).toBe(400)
    expect((await jobs.ask({ kind: 'resolve', act: 'trash', items: [{ from: '/a' }] })).status).toBe(400)
  })
})

describe('a duplicate', () => {
  test.runIf(KEEPS_DELETED)('goes to the trash', async () => {
    const { disk, act } = await pair()
    expect(await act('trash')).toMatchObject({ state: 'done', kept: expect.stringMatching(/^[0-9a-z]{26}$/) })
    expect((await readdir(disk)).filter(name => name.endsWith('.txt'))).toEqual(['a.txt'])
  })

  test('becomes another name of the file that stays', async () => {
    const { disk, act } = await pair()
    expect(await act('link')).toMatchObject({ state: 'done' })
    const [a, b] = [await stat(join(disk, 'a.txt')), await stat(join(disk, 'b.txt'))]
    expect(b.ino).toBe(a.ino)
    expect(a.nlink).toBe(2)
    expect((await readdir(disk)).filter(name => !name.startsWith('.filigree'))).toEqual(['a.txt', 'b.txt'])
    expect(await act('link')).toMatchObject({ state: 'skipped' })
  })

  test.each(['trash', 'link', 'reflink'] as const)(
    'DUP-01 stays as it is when one of the two was changed after the search, for %s',
    async how => {
      for (const name of ['a.txt', 'b.txt']) {
        const { disk, act } = await pair()
        await write(disk, { [name]: 'another content!'.slice(0, 16) })
        const before = await stat(join(disk, 'b.txt'), { bigint: true })
        const result = await act(how)
        expect(result?.state).toBe('failed')
        // Where the disk does not share blocks, that is found first.
        expect(['changed_since', ...(how === 'reflink' ? ['unsupported'] : [])]).toContain(result?.code)
        expect(await stat(join(disk, 'b.txt'), { bigint: true })).toMatchObject({
          ino: before.ino,
          ctimeNs: before.ctimeNs,
        })
        expect(await readFile(join(disk, name), 'utf8')).toBe('another content!')
        expect((await readdir(disk)).filter(file => !file.startsWith('.filigree'))).toEqual(['a.txt', 'b.txt'])
      }
    },
  )

  test('needs the rights for what happens to it', async () => {
    const { path, disk } = await corner(wire)
    await write(disk, { 'a.txt': 'secretly the same', 'secret/b.txt': 'secretly the same' })
    for (const act of ['trash', 'link', 'reflink'] as const) {
      for (const [from, to] of [
        [`${path}/secret/b.txt`, `${path}/a.txt`],
        [`${path}/a.txt`, `${path}/secret/b.txt`],
      ]) {
        const { items } = await jobsOf(wire, ruled).run({
          kind: 'resolve',
          act,
          items: [{ from: from ?? '', to: to ?? '' }],
        })
        expect(items).toMatchObject([{ state: 'failed', code: 'forbidden' }])
      }
    }
    expect(await readdir(disk)).toEqual(expect.arrayContaining(['a.txt', 'secret']))
  })
})

test('a job that verifies reports each file of a folder that is not what it was', async () => {
  const { path, disk } = await corner(wire)
  await write(disk, { 'a.txt': 'one content', 'deep/b.txt': 'a content' })
  const verify = (from: string) => jobs.run({ kind: 'verify', items: [{ from }] })
  expect(await verify(path)).toMatchObject({ count: { done: 1, failed: 0 } })
  await write(disk, { 'a.txt': 'two content' })
  const { items = [] } = await verify(path)
  expect(items.filter(({ state }) => state === 'failed')).toEqual([
    { from: path, to: `${path}/a.txt`, member: `${path}/a.txt`, state: 'failed', code: 'checksum_mismatch' },
  ])
  expect((await verify(`${path}/a.txt`)).items).toMatchObject([{ state: 'failed', code: 'checksum_mismatch' }])
  expect((await verify(`${path}/deep/b.txt`)).items).toMatchObject([{ state: 'done' }])
})
