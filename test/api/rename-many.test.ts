import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { AuditPage } from '../../shared/api/audit.ts'
import type { ChangePage, Verdict } from '../../shared/api/changes.ts'
import type { RenameFacts } from '../../shared/api/rename.ts'
import { call, json, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { enrol, PASSWORD } from './people.ts'

const LOOKER = uniqueName('looker')
const CLOSED = uniqueName('closed')
const RULED = uniqueName('ruled')
const wire = await openInstance()
await enrol(wire, [
  { name: CLOSED, may: ['rename'] },
  { name: LOOKER, may: ['download', 'create'] },
  { name: RULED, may: ['download', 'rename'], rules: [{ regex: true, regexp: { raw: '/hush' } }] },
])
const admin = await person(wire)
const { path: base, disk } = await corner(wire)
let folders = 0

type Pairs = readonly (readonly [from: string, to: string])[]

/** A folder with these files; each contains its first name. */
async function folderOf(names: readonly string[]) {
  const name = `f${folders++}`
  await mkdir(join(disk, name))
  for (const file of names) await writeFile(join(disk, name, file), file)
  const contents = async () => {
    const now = await readdir(join(disk, name))
    const read = (file: string) => readFile(join(disk, name, file), 'utf8')
    return Object.fromEntries(await Promise.all(now.map(async file => [file, await read(file)])))
  }
  const rename = async (pairs: Pairs, who: { token?: string } = admin) => {
    const items = pairs.map(([from, to]) => ({ from: `${base}/${name}/${from}`, to: `${base}/${name}/${to}` }))
    const job = await jobsOf(wire, who).run({ kind: 'rename', items })
    const results = (job.items ?? []).map(({ from, state, code }) => [from.split('/').at(-1), code ?? state])
    return Object.fromEntries(results)
  }
  return { contents, rename }
}

describe('a job that renames', () => {
  test('BREN-01 swaps two names', async () => {
    const { contents, rename } = await folderOf(['a', 'b'])
    expect(
      await rename([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toEqual({ a: 'done', b: 'done' })
    expect(await contents()).toEqual({ a: 'b', b: 'a' })
  })

  test('BREN-01 moves a chain on by one, in whatever order it is sent', async () => {
    const { contents, rename } = await folderOf(['1', '2', '3'])
    await rename([
      ['1', '2'],
      ['3', '4'],
      ['2', '3'],
    ])
    expect(await contents()).toEqual({ 2: '1', 3: '2', 4: '3' })
  })

  test('BREN-01 does any permutation, with chains and cycles in it', async () => {
    const names = [...'abcdefgh']
    const plans = fc.shuffledSubarray(names, { minLength: 1 }).chain(from => {
      return fc
        .shuffledSubarray([...names, ...'ijk'], { minLength: from.length, maxLength: from.length })
        .map(to => from.map((name, index) => [name, to[index] ?? name] as const))
    })
    const isFree = (pairs: Pairs) => {
      const left = new Set(names.filter(name => !pairs.some(([from]) => from === name)))
      return pairs.every(([, to]) => !left.has(to))
    }
    await fc.assert(
      fc.asyncProperty(plans.filter(isFree), async pairs => {
        const { contents, rename } = await folderOf(names)
        const changed = pairs.filter(([from, to]) => from !== to)
        if (changed.length === 0) return
        await rename(changed)
        const expected = Object.fromEntries(names.map(name => [name, name]))
        for (const [from] of changed) delete expected[from]
        for (const [from, to] of changed) expected[to] = from
        expect(await contents()).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })

  test('never replaces what has a name already, and what waits for that name stays as well', async () => {
    const { contents, rename } = await folderOf(['a', 'b', 'c'])
    expect(
      await rename([
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toEqual({ a: 'exists', b: 'exists' })
    expect(await contents()).toEqual({ a: 'a', b: 'b', c: 'c' })
  })

  test('of two items with the same new name renames one', async () => {
    const { contents, rename } = await folderOf(['a', 'b'])
    expect(
      Object.values(
        await rename([
          ['a', 'x'],
          ['b', 'x'],
        ]),
      ).sort(),
    ).toEqual(['done', 'exists'])
    expect(Object.values(await contents()).sort()).toEqual(['a', 'b'])
  })

  test('needs the right to rename', async () => {
    const { contents, rename } = await folderOf(['a', 'b'])
    const looker = await person(wire, LOOKER, PASSWORD)
    expect(
      await rename(
        [
          ['a', 'b'],
          ['b', 'a'],
        ],
        looker,
      ),
    ).toEqual({ a: 'forbidden', b: 'forbidden' })
    expect(await contents()).toEqual({ a: 'a', b: 'b' })
  })

  test('leaves a whole cycle as it is when a rule denies one of its names', async () => {
    const { contents, rename } = await folderOf(['a', 'b', 'hush'])
    const ruled = await person(wire, RULED, PASSWORD)
    await rename(
      [
        ['a', 'b'],
        ['b', 'hush'],
        ['hush', 'a'],
      ],
      ruled,
    )
    expect(await contents()).toEqual({ a: 'a', b: 'b', hush: 'hush' })
  })

  test('refuses another folder', async () => {
    const items = [{ from: `${base}/a`, to: `${base}/sub/a` }]
    const { status } = await jobsOf(wire, admin).ask({ kind: 'rename', items })
    expect(status).toBe(400)
  })

  test('records each item as a move', async () => {
    const { rename } = await folderOf(['a', 'b'])
    await rename([
      ['a', 'b'],
      ['b', 'a'],
    ])
    const { rows } = json(await call(wire, '/api/audit?action=move', { token: admin.token })) as AuditPage
    expect(
      rows
        .slice(0, 2)
        .map(({ target = '' }) => target.split('/').at(-1))
        .sort(),
    ).toEqual(['a', 'b'])
  })
})

test('BREN-01 a swap is one change, and undone as one', async () => {
  const { contents, rename } = await folderOf(['a', 'b', 'c'])
  await rename([
    ['a', 'b'],
    ['b', 'a'],
    ['c', 'd'],
  ])
  const { items } = json(await call(wire, '/api/changes?mine=true', { token: admin.token })) as ChangePage
  const [change] = items
  expect(change).toMatchObject({ kind: 'rename', undo: { can: true } })
  const preview = await call(wire, `/api/changes/${change?.id}/undo`, {
    method: 'POST',
    token: admin.token,
    headers: { 'Content-Type': 'application/json' },
    body: '{"dry":true}',
  })
  // A later step of the undo finds free what an earlier one leaves.
  expect(json(preview).verdicts.map(({ can }: Verdict) => can)).toEqual([true, true, true, true])
  const answer = await call(wire, `/api/changes/${change?.id}/undo`, {
    method: 'POST',
    token: admin.token,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(answer.status).toBe(200)
  expect(await contents()).toEqual({ a: 'a', b: 'b', c: 'c' })
})

test('BREN-01 a swap among many items is undone by a job, and leaves no name of its own', async () => {
  const others = Array.from({ length: 30 }, (_, index) => `other ${index}`)
  const { contents, rename } = await folderOf(['a', 'b', ...others])
  const before = await contents()
  const swap = [
    ['a', 'b'],
    ['b', 'a'],
  ] as const
  await rename([...swap, ...others.map(name => [name, `new ${name}`] as const)])
  const { items } = json(await call(wire, '/api/changes?mine=true', { token: admin.token })) as ChangePage
  const answer = await call(wire, `/api/changes/${items[0]?.id}/undo`, {
    method: 'POST',
    token: admin.token,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(answer.status).toBe(202)
  const done = await jobsOf(wire, admin).ended(json(answer).id)
  expect(done.items?.filter(({ state }) => state !== 'done')).toEqual([])
  expect(await contents()).toEqual(before)
})

describe('the facts of photos', () => {
  const facts = async (paths: readonly string[], who: { token?: string } = admin) => {
    const answer = await call(wire, '/api/rename/facts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ paths }),
      ...(who.token === undefined ? {} : { token: who.token }),
    })
    const lines = () =>
      answer.text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as RenameFacts)
    return { status: answer.status, lines }
  }

  test('are the time and the camera in a photo, and nothing for other files', async () => {
    const photo = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
      .withExif({ IFD0: { Make: 'NIKON', Model: 'NIKON D750' }, IFD2: { DateTimeOriginal: '2024:05:01 12:34:56' } })
      .jpeg()
      .toBuffer()
    await writeFile(join(disk, 'photo.jpg'), photo)
    await writeFile(join(disk, 'plain.jpg'), 'no photo')
    await writeFile(join(disk, 'text.txt'), 'text')
    const paths = ['photo.jpg', 'plain.jpg', 'text.txt', 'missing.jpg'].map(name => `${base}/${name}`)
    const [first, ...others] = (await facts(paths)).lines()
    expect(first).toEqual({ path: `${base}/photo.jpg`, taken: '2024-05-01T12:34:56', camera: 'NIKON D750' })
    expect(others).toEqual(paths.slice(1).map(path => ({ path })))
  })

  test('need the right to download', async () => {
    const closed = await person(wire, CLOSED, PASSWORD)
    expect((await facts([`${base}/photo.jpg`], closed)).status).toBe(403)
  })

  test('of a bad path are refused', async () => {
    expect((await facts(['/../x'])).status).toBe(400)
  })

  test('need a session', async () => {
    expect((await facts(['/x'], {})).status).toBe(401)
  })
})
