import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Job, JobRequest } from '../../shared/api/jobs.ts'
import { send } from './accounts.ts'
import { json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { snapshot } from './snapshot.ts'
import { unpack } from './unpack.ts'

const wire = await openInstance()
await enrol(wire, [
  { name: 'hides-names', may: EVERYTHING, hideDotfiles: true },
  {
    name: 'hides-ruled',
    may: EVERYTHING,
    hideDotfiles: true,
    rules: [{ regex: true, regexp: { raw: '/\\.secret$' } }],
  },
])
const hides = await person(wire, 'hides-names', PASSWORD)
const jobs = jobsOf(wire, hides)
const ruled = await person(wire, 'hides-ruled', PASSWORD)
const ruledJobs = jobsOf(wire, ruled)

async function planted(...names: string[]) {
  const place = await corner(wire)
  for (const name of names) {
    await mkdir(dirname(join(place.disk, name)), { recursive: true })
    await writeFile(join(place.disk, name), name)
  }
  return { ...place, names: async () => Object.keys(await snapshot(place.disk)) }
}
const transfer = (token: string, from: string, action: string, to: string, more = '') =>
  send(wire, 'PATCH', `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`, token)
const outcomes = (job: Job) => job.items?.map(({ state, code }) => code ?? state)

const TREE = ['tree/.DS_Store', 'tree/.cache/deep.txt', 'tree/a.txt'] as const
const ITS_NAMES = ['', '/.DS_Store', '/.cache', '/.cache/deep.txt', '/a.txt']
const namesAt = (top: string) => ITS_NAMES.map(name => top + name)

describe('a hidden entry', () => {
  test('is copied with its folder', async () => {
    const { path, names } = await planted(...TREE)
    expect((await transfer(hides.token, `${path}/tree`, 'copy', `${path}/copy`)).status).toBe(200)
    expect(await names()).toEqual([...namesAt('copy'), ...namesAt('tree')])
  })

  test('is moved with its folder', async () => {
    const { path, names } = await planted(...TREE)
    expect((await transfer(hides.token, `${path}/tree`, 'rename', `${path}/moved`)).status).toBe(200)
    expect(await names()).toEqual(namesAt('moved'))
  })

  test('is deleted with its folder', async () => {
    const { path, names } = await planted(...TREE)
    expect((await hides.remove(`${path}/tree`)).status).toBeLessThan(300)
    expect(await names()).toEqual([])
  })

  test('is included in jobs, which count it', async () => {
    const { path, names } = await planted(...TREE)
    const run = async (kind: JobRequest['kind'], from: string, to?: string) => {
      const job = await jobs.run({ kind, items: [{ from: `${path}/${from}`, ...(to && { to: `${path}/${to}` }) }] })
      expect(outcomes(job)).toEqual(['done'])
    }
    await run('copy', 'tree', 'copy')
    await run('move', 'copy', 'moved')
    expect(await names()).toEqual([...namesAt('moved'), ...namesAt('tree')])
    await run('delete', 'moved')
    await run('delete', 'tree')
    expect(await names()).toEqual([])
  })

  test('is merged into an existing folder, and none of it is lost', async () => {
    const { path, names } = await planted(...TREE, 'goal/b.txt', 'goal/.cache/old.txt')
    const into = (action: string, from: string) =>
      transfer(hides.token, `${path}/${from}`, action, `${path}/goal`, '&override=true')
    expect((await into('copy', 'tree')).status).toBe(200)
    const merged = ['goal', 'goal/.DS_Store', 'goal/.cache', 'goal/.cache/deep.txt', 'goal/.cache/old.txt']
    expect(await names()).toEqual([...merged, 'goal/a.txt', 'goal/b.txt', ...namesAt('tree')])
    expect((await into('rename', 'tree')).status).toBe(200)
    expect(await names()).toEqual([...merged, 'goal/a.txt', 'goal/b.txt'])
  })

  test('is a conflict, and is replaced only on request', async () => {
    const { path, disk } = await planted('tree/.DS_Store', 'goal/.DS_Store')
    const items = [{ from: `${path}/tree`, to: `${path}/goal` }]
    const before = await snapshot(disk)
    const met = json(await send(wire, 'POST', '/api/conflicts', hides.token, { items }))
    expect(met.conflicts.map(({ to }: { to: string }) => to)).toEqual([`${path}/goal`, `${path}/goal/.DS_Store`])
    const choices = { [`${path}/goal`]: 'replace', [`${path}/goal/.DS_Store`]: 'skip' } as const
    await jobs.run({ kind: 'copy', items, choices })
    expect(await snapshot(disk)).toEqual(before)
  })

  test('is left out of listings, searches and archives of the same folder', async () => {
    const { path } = await planted(...TREE)
    const listed = json(await hides.get(`${path}/tree`)).items.map(({ name }: { name: string }) => name)
    expect(listed).toEqual(['a.txt'])
    const found = await send(wire, 'GET', `/api/search${path}/tree?query=`, hides.token)
    expect(found.text).not.toMatch(/DS_Store|deep/)
    expect(Object.keys(await unpack((await hides.raw(`${path}/tree`)).bytes, '.zip'))).toEqual(['a.txt'])
  })

  test('is refused by its own path', async () => {
    const { path, disk } = await planted(...TREE)
    const before = await snapshot(disk)
    const { token } = hides
    const statuses = [
      await hides.remove(`${path}/tree/.DS_Store`),
      await transfer(token, `${path}/tree/.DS_Store`, 'copy', `${path}/shown`),
      await transfer(token, `${path}/tree/a.txt`, 'rename', `${path}/tree/.a`),
      await transfer(token, `${path}/tree`, 'copy', `${path}/.tree`),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 403, 403])
    expect(await snapshot(disk)).toEqual(before)
  })

  test('is refused behind a link', async () => {
    const { path, disk } = await planted(...TREE)
    await symlink('tree/.cache', join(disk, 'link'))
    const before = await snapshot(disk)
    const statuses = [
      await hides.remove(`${path}/link/deep.txt`),
      await transfer(hides.token, `${path}/link/deep.txt`, 'rename', `${path}/shown`),
      await transfer(hides.token, `${path}/tree/a.txt`, 'copy', `${path}/link/a.txt`),
    ].map(({ status }) => status)
    expect(statuses).toEqual([403, 403, 403])
    expect(await snapshot(disk)).toEqual(before)
  })
})

test('RULE-02 a hidden name that a rule denies keeps its folder where it is', async () => {
  const { path, disk } = await planted('tree/.cache/.secret', 'tree/a.txt')
  const before = await snapshot(disk)
  const { token } = ruled
  const statuses = [
    await transfer(token, `${path}/tree`, 'copy', `${path}/copy`),
    await transfer(token, `${path}/tree`, 'rename', `${path}/moved`),
    await ruled.remove(`${path}/tree`),
  ].map(({ status }) => status)
  expect(statuses).toEqual([403, 403, 403])
  const items = [{ from: `${path}/tree`, to: `${path}/other` }]
  for (const kind of ['copy', 'move', 'delete'] as const) {
    expect(outcomes(await ruledJobs.run({ kind, items }))).toEqual(['forbidden'])
  }
  expect(await snapshot(disk)).toEqual(before)
})
