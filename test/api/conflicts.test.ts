import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConflictsAnswer } from '../../shared/api/conflicts.ts'
import { MAX_LISTED_CONFLICTS } from '../../shared/conflicts.ts'
import { call, json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
await enrol(wire, [
  { name: 'conflicts-all', may: EVERYTHING },
  { name: 'conflicts-ruled', may: EVERYTHING, rules: [{ regex: true, regexp: { raw: '/secret$' } }] },
])
const all = await person(wire, 'conflicts-all', PASSWORD)
const ruled = await person(wire, 'conflicts-ruled', PASSWORD)

const list = (token: string | undefined, body: unknown) =>
  call(wire, '/api/conflicts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(token === undefined ? {} : { token }),
  })

async function planted(...names: string[]) {
  const place = await corner(wire)
  for (const name of names) {
    await mkdir(join(place.disk, name, '..'), { recursive: true })
    await writeFile(join(place.disk, name), name)
  }
  return place
}

/** Conflicts of moving a folder's items to another, as index and path below the corner. */
async function found(token: string, path: string, ...names: string[]) {
  const items = names.map(name => ({ from: `${path}/${name}`, to: `${path}/to/${name}` }))
  const answer: ConflictsAnswer = json(await list(token, { items }))
  return { ...answer, places: answer.conflicts.map(({ item, to }) => [item, to.slice(path.length)]) }
}

describe('the conflicts of a copy or a move', () => {
  test('is reported with both versions, in folders too, each folder before its content', async () => {
    const { path, disk } = await planted('free', 'a', 'tree/b', 'tree/sub/c', 'tree/new/d', 'to/a', 'to/tree/sub/c')
    await writeFile(join(disk, 'to/tree/b'), 'longer')
    await utimes(join(disk, 'to/tree/b'), 1e6, 1e6)
    const { places, conflicts, more } = await found(all.token, path, 'free', 'a', 'tree')
    expect(places).toEqual([
      [1, '/to/a'],
      [2, '/to/tree'],
      [2, '/to/tree/b'],
      [2, '/to/tree/sub'],
      [2, '/to/tree/sub/c'],
    ])
    expect(conflicts[2]).toMatchObject({
      ours: { isDir: false, size: 6 },
      theirs: { isDir: false, size: 6, modified: '1970-01-12T13:46:40Z' },
    })
    expect([conflicts[1]?.ours.isDir, more]).toEqual([true, 0])
  })

  test('is counted beyond the number that is listed', async () => {
    const { path, disk } = await planted('tree/x', 'to/tree/x')
    const names = Array.from({ length: MAX_LISTED_CONFLICTS + 2 }, (_, index) => `f${index}`)
    for (const top of ['tree', 'to/tree']) await Promise.all(names.map(name => writeFile(join(disk, top, name), '')))
    const { conflicts, more } = await found(all.token, path, 'tree')
    expect([conflicts.length, more]).toEqual([1 + MAX_LISTED_CONFLICTS, 3])
  })

  test('leaves out items that are hidden, missing or cannot be transferred', async () => {
    const { path } = await planted('tree/secret', 'tree/open', 'to/tree/secret', 'to/tree/open', 'to/none')
    const { places } = await found(ruled.token, path, 'none', 'tree', 'tree/secret')
    expect(places).toEqual([
      [1, '/to/tree'],
      [1, '/to/tree/open'],
    ])
    const within = { items: [{ from: `${path}/tree`, to: `${path}/tree/tree` }] }
    expect(json(await list(all.token, within))).toEqual({ conflicts: [], more: 0 })
  })

  test('requires a session, and paths', async () => {
    expect((await list(undefined, { items: [{ from: '/a', to: '/b' }] })).status).toBe(401)
    expect((await list(all.token, { items: [{ from: '/a', to: '/../b' }] })).status).toBe(400)
  })
})

test.each(['copy', 'move'] as const)(
  'to %s an item with a choice replaces the listed version, not a later one',
  async kind => {
    const { path, disk } = await planted('tree/a', 'tree/b', 'to/tree/a', 'to/tree/b')
    const { conflicts } = await found(all.token, path, 'tree')
    await utimes(join(disk, 'to/tree/b'), 1e6, 1e6)
    const choices = Object.fromEntries(conflicts.map(({ to }) => [to, 'replace' as const]))
    const files = conflicts.filter(({ ours }) => !ours.isDir)
    const seen = Object.fromEntries(files.map(({ to, theirs }) => [to, theirs.modified]))
    const items = [{ from: `${path}/tree`, to: `${path}/to/tree` }]
    const job = await jobsOf(wire, all).run({ kind, items, choices, seen })
    expect(job.items?.map(({ code }) => code)).toEqual(['exists'])
    const content = (name: string) => readFile(join(disk, name), 'utf8')
    expect([await content('to/tree/a'), await content('to/tree/b')]).toEqual(['tree/a', 'to/tree/b'])
    expect(await content('tree/b')).toBe('tree/b')
  },
)

test.each(['copy', 'move'] as const)(
  'LINK-07 to %s a folder onto a link, or a link onto a folder, fails alone, and the targets of the links are unchanged',
  async kind => {
    const { path, disk } = await planted('aims/a', 'one/b', 'to/two/c', 'three', 'to/three')
    await symlink('../aims', join(disk, 'to/one'))
    await symlink('aims', join(disk, 'two'))
    const { conflicts, places } = await found(all.token, path, 'one', 'two', 'three')
    expect(places).toEqual([
      [0, '/to/one'],
      [1, '/to/two'],
      [2, '/to/three'],
    ])
    expect(conflicts.map(({ ours, theirs }) => [ours.isSymlink, theirs.isSymlink])).toEqual([
      [false, true],
      [true, false],
      [false, false],
    ])
    const items = ['one', 'two', 'three'].map(name => ({ from: `${path}/${name}`, to: `${path}/to/${name}` }))
    const job = await jobsOf(wire, all).run({ kind, items, conflict: 'replace' })
    expect(job.items?.map(({ code }) => code)).toEqual(['exists', 'exists', undefined])
    expect(await readdir(join(disk, 'aims'))).toEqual(['a'])
    expect(await readdir(join(disk, 'one'))).toEqual(['b'])
    expect(await readdir(join(disk, 'to/two'))).toEqual(['c'])
    expect(await readFile(join(disk, 'to/three'), 'utf8')).toBe('three')
  },
)

test('a planned job applies the choice for each item, and reports conflicts since then', async () => {
  const { path, disk } = await planted('a', 'b', 'c', 'd', 'e', 'to/a', 'to/b', 'to/c', 'to/d')
  const { conflicts } = await found(all.token, path, 'a', 'b', 'c', 'd', 'e')
  const seen = Object.fromEntries(conflicts.map(({ to, theirs }) => [to, theirs.modified]))
  const chosen = { a: 'replace', b: 'skip', c: 'keepBoth', d: 'replace' } as const
  const items = ['a', 'b', 'c', 'd', 'e'].map(name => ({ from: `${path}/${name}`, to: `${path}/to/${name}` }))
  const choices = Object.fromEntries(Object.entries(chosen).map(([name, choice]) => [`${path}/to/${name}`, choice]))
  const runAt = new Date(Date.now() + 1000).toISOString()
  await utimes(join(disk, 'to/d'), 1e6, 1e6)
  await writeFile(join(disk, 'to/e'), 'came since')
  const { id } = json(await jobsOf(wire, all).ask({ kind: 'move', items, choices, seen, runAt }))
  const job = await jobsOf(wire, all).ended(id)
  expect(job.items?.map(({ state, code }) => code ?? state)).toEqual(['done', 'skipped', 'done', 'exists', 'exists'])
  const content = (name: string) => readFile(join(disk, name), 'utf8')
  expect(await Promise.all(['to/a', 'to/b', 'to/c', 'to/d', 'to/e'].map(content))).toEqual([
    ...['a', 'to/b', 'to/c', 'to/d', 'came since'],
  ])
  expect(await content('to/c(1)')).toBe('c')
  expect((await readdir(disk)).sort()).toEqual(['b', 'd', 'e', 'to'])
})
