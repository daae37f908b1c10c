import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ActivityItem, ActivityPage } from '../../shared/api/activity.ts'
import type { ChangeDetails, ChangePage, ExportedStep } from '../../shared/api/changes.ts'
import type { Rule } from '../../shared/api/users.ts'
import { manager, perm } from './accounts.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance, serve, WITH_TRASH } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD, whole } from './people.ts'

const wire = await openInstance(WITH_TRASH)
const admin = await person(wire)

const send = (who: Person, method: string, path: string, body?: object, at: { url: string } = wire): Promise<Answer> =>
  call(at, path, {
    method,
    token: who.token,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
const timeline = async (who: Person, path: string, query = ''): Promise<ActivityItem[]> =>
  json(await send(who, 'GET', `/api/activity${encode(path)}${query}`)).items
const move = (from: string, to: string, who = admin) =>
  send(
    who,
    'PATCH',
    `/api/resources${encode(from)}?${new URLSearchParams({ action: 'rename', destination: encode(to) })}`,
  )
const restore = (id: string, to?: string) =>
  send(admin, 'POST', '/api/trash/restore', { items: [{ id, ...(to && { to }) }] })
const trash = async (path: string) => (await admin.remove(path)).headers.get('X-Kept') ?? ''
const lines = (items: readonly ActivityItem[]) =>
  items.map(({ kind, step: { path, to } }) => [kind, path, ...(to === undefined ? [] : [to])].join(' '))

describe('the timeline of a file', () => {
  test('has what was done to it under all its names, and through the trash', async () => {
    const { path } = await corner(wire)
    await admin.put(`${path}/docs/draft.txt`, 'one')
    await admin.put(`${path}/other.txt`, 'other')
    await move(`${path}/docs/draft.txt`, `${path}/docs/report.txt`)
    await admin.put(`${path}/docs/report.txt`, 'two', '?override=true')
    await move(`${path}/docs`, `${path}/papers`)
    const kept = await trash(`${path}/papers/report.txt`)
    await restore(kept, `${path}/final.txt`)
    expect(lines(await timeline(admin, `${path}/final.txt`))).toEqual([
      `restore ${path}/final.txt`,
      `delete ${path}/papers/report.txt`,
      `move ${path}/docs ${path}/papers`.replace('move', 'rename'),
      `upload ${path}/docs/report.txt`,
      `rename ${path}/docs/draft.txt ${path}/docs/report.txt`,
      `upload ${path}/docs`,
    ])
  })

  test('is not that of another file that had the path before', async () => {
    const { path } = await corner(wire)
    await admin.put(`${path}/a.txt`, 'first')
    await trash(`${path}/a.txt`)
    await admin.put(`${path}/b.txt`, 'second')
    await move(`${path}/b.txt`, `${path}/a.txt`)
    expect(lines(await timeline(admin, `${path}/a.txt`))).toEqual([
      `rename ${path}/b.txt ${path}/a.txt`,
      `upload ${path}/b.txt`,
    ])
  })

  test('of a part of a folder that came back from the trash goes back to the time before', async () => {
    const { path } = await corner(wire)
    await admin.put(`${path}/docs/a.txt`, 'one')
    await admin.put(`${path}/docs/b.txt`, 'two')
    const kept = await trash(`${path}/docs`)
    await send(admin, 'POST', '/api/trash/restore', { items: [{ id: kept, inner: '/b.txt' }] })
    expect(lines(await timeline(admin, `${path}/docs/b.txt`)).map(line => line.split(' ')[0])).toEqual([
      'restore',
      'delete',
      'upload',
    ])
  })

  test('needs a file that is there, and that the caller may see', async () => {
    const { path } = await corner(wire)
    expect((await send(admin, 'GET', `/api/activity${path}/missing.txt`)).status).toBe(404)
    const name = uniqueName('act')
    await enrol(wire, [{ name, may: EVERYTHING, rules: [{ path: '/deny', allow: false }] }])
    const who = await person(wire, name, PASSWORD)
    expect((await send(who, 'GET', '/api/activity/deny/a.txt')).status).toBe(403)
    expect((await send(admin, 'GET', `/api/activity${path}?from=never`)).status).toBe(400)
  })
})

describe('the timeline of a folder', () => {
  test('has what was done in it, also under its former name, with numbers that are about it', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'out'))
    await admin.put(`${path}/in/a.txt`, 'a')
    await admin.put(`${path}/out/b.txt`, 'b')
    await move(`${path}/in`, `${path}/box`)
    await admin.put(`${path}/box/c.txt`, 'c')
    await move(`${path}/box/c.txt`, `${path}/out/c.txt`)
    const items = await timeline(admin, `${path}/box`)
    expect(lines(items)).toEqual([
      `move ${path}/box/c.txt ${path}/out/c.txt`,
      `upload ${path}/box/c.txt`,
      `rename ${path}/in ${path}/box`,
      `upload ${path}/in`,
    ])
    expect(items[1]).toMatchObject({ count: 1, first: ['c.txt'], folder: `${path}/box`, mine: true })
  })

  test('counts the steps of a change that are about it', async () => {
    const { path, disk } = await corner(wire)
    for (const folder of ['a', 'b']) await mkdir(join(disk, folder))
    const headers = { 'X-Gesture': crypto.randomUUID() }
    for (const file of ['a/1', 'a/2', 'b/3']) {
      await call(wire, `/api/resources${path}/${file}`, { method: 'POST', token: admin.token, headers, body: file })
    }
    expect(await timeline(admin, `${path}/a`)).toMatchObject([{ count: 2, first: ['1', '2'], folder: `${path}/a` }])
    expect(await timeline(admin, `${path}`)).toMatchObject([{ count: 3 }])
  })

  test('has pages, and filters by person, kind and time', async () => {
    const { path } = await corner(wire)
    for (let n = 0; n < 53; n += 1) await admin.put(`${path}/${n}.txt`, 'x')
    const page = async (query: string): Promise<ActivityPage> =>
      json(await send(admin, 'GET', `/api/activity${path}${query}`))
    const first = await page('')
    expect(first.items).toHaveLength(50)
    const second = await page(`?before=${first.next}`)
    expect(second.items.map(({ first: [name] }) => name)).toEqual(['2.txt', '1.txt', '0.txt'])
    expect(second.next).toBeUndefined()
    expect((await page('?kind=delete')).items).toEqual([])
    expect((await page('?user=nobody')).items).toEqual([])
    expect((await page(`?to=${second.items[0]?.time}`)).items).toHaveLength(2)
    expect((await page('?mine=true')).items).toHaveLength(50)
  })
})

/** Numbers from a seed, the same in each run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * below)
  }
}

const FOLDERS = ['a', 'a/deep', 'b', 'c'] as const
const NAMES = ['one.txt', 'two.md', 'three.txt'] as const

test('ACT-01 timelines have exactly the steps that random rules let a user see', async () => {
  const { path, disk } = await corner(wire)
  for (const folder of FOLDERS) await mkdir(join(disk, folder), { recursive: true })
  const random = randomOf(1)
  const any = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const somewhere = () => `${path}/${any(FOLDERS)}/${any(NAMES)}`
  const kept: string[] = []
  for (let operation = 0; operation < 90; operation += 1) {
    const act = random(5)
    if (act < 2) await admin.put(somewhere(), `${operation}`, '?override=true')
    else if (act === 2) await move(somewhere(), somewhere())
    else if (act === 3) kept.push(await trash(somewhere()))
    else await restore(kept.pop() ?? '', somewhere())
  }
  const known = await everyChange(path)
  const name = uniqueName('act')
  await enrol(wire, [{ name, may: EVERYTHING, scope: path }])
  const accounts = await manager(wire)
  const { id } = json(await accounts.list()).find((user: { username: string }) => user.username === name)
  for (let round = 0; round < 12; round += 1) {
    const rules = Array.from({ length: 1 + random(3) }, () => randomRule(any, random))
    expect((await accounts.update(id, ['rules'], { id, rules })).status).toBe(200)
    const who = await person(wire, name, PASSWORD)
    for (const folder of ['/', '/a', '/b', '/c']) {
      const answer = await send(who, 'GET', `/api/activity${folder}`)
      const expected = sees(rules, folder) ? modelOf(known, path, folder, rules) : undefined
      const seen = answer.status === 200 ? json(answer).items.map(summaryOf) : undefined
      expect(seen, `round ${round}, ${folder}, ${JSON.stringify(rules)}`).toEqual(expected)
    }
  }
})

const summaryOf = ({ id, count, first, step }: ActivityItem) => ({ id, count, first, path: step.path, to: step.to })

/** All changes below a path with their steps, newest first, as the administrator sees them. */
async function everyChange(path: string): Promise<ChangeDetails[]> {
  const all: ChangeDetails[] = []
  for (let query = `?path=${path}`; ; ) {
    const page: ChangePage = json(await send(admin, 'GET', `/api/changes${query}`))
    for (const { id } of page.items) all.push(json(await send(admin, 'GET', `/api/changes/${id}`)))
    if (!page.more) return all
    query = `?path=${path}&before=${page.items.at(-1)?.id}`
  }
}

function randomRule(any: <T>(items: readonly T[]) => T, random: (below: number) => number): Rule {
  const allow = random(3) === 0
  const raw = any([String.raw`\.md$`, '/one', '^/b/t', '^/a/deep/'])
  if (random(2) === 0) return whole({ allow, regex: true, regexp: { raw } })
  return whole({ allow, path: any(['/a', '/a/deep', '/b', '/c/one.txt', '/b/two.md']) })
}

/** The last rule that matches decides. */
function sees(rules: readonly Rule[], path: string): boolean {
  const matches = ({ regex, regexp, path: prefix }: Rule) =>
    regex ? new RegExp(regexp?.raw ?? '').test(path) : path === prefix || path.startsWith(`${prefix}/`)
  return rules.findLast(matches)?.allow ?? true
}

function modelOf(changes: readonly ChangeDetails[], base: string, folder: string, rules: readonly Rule[]) {
  const shown = (path: string | undefined) => {
    const inner = path?.startsWith(`${base}/`) ? path.slice(base.length) : undefined
    return inner !== undefined && sees(rules, inner) ? inner : undefined
  }
  const isIn = (path: string | undefined) => path?.startsWith(folder === '/' ? '/' : `${folder}/`) ?? false
  const all = changes.flatMap(({ id, steps }) => {
    const seen = steps.flatMap(step => {
      const [path, to] = [shown(step.path), shown(step.to)]
      return isIn(path) || isIn(to) ? [{ path: path ?? to ?? '', to }] : []
    })
    const [first] = seen
    if (!first) return []
    const names = seen.slice(0, 3).map(({ path, to }) => (to ?? path).split('/').at(-1))
    return [{ id, count: seen.length, first: names, ...first }]
  })
  return all.slice(0, 50)
}

test('names of users are shown to those that the host chooses', async () => {
  for (const [names, seen] of [
    ['everyone', ['admin', 'ann']],
    ['admins', ['', 'ann']],
    ['own', ['ann']],
  ] as const) {
    const server = await serve({ args: ['--activityNames', names] })
    const accounts = await manager(server)
    await accounts.add('ann', { password: PASSWORD, perm: perm(...EVERYTHING) })
    await writeFile(join(server.root, 'a.txt'), 'a')
    const [ann, owner] = [await person(server, 'ann', PASSWORD), await person(server)]
    await ann.put('/a.txt', 'b', '?override=true')
    await owner.put('/a.txt', 'c', '?override=true')
    for (const path of ['/api/activity/a.txt', '/api/activity/', '/api/changes']) {
      const of = async (who: Person) => json(await send(who, 'GET', path, undefined, server)).items
      expect((await of(ann)).map(({ user }: ActivityItem) => user)).toEqual(seen)
      expect((await of(owner)).map(({ user }: ActivityItem) => user)).toEqual(['admin', 'ann'])
    }
    const byAdmin = json(await send(ann, 'GET', '/api/changes?user=admin', undefined, server)).items
    expect(byAdmin).toHaveLength(names === 'everyone' ? 1 : 0)
  }
})

describe('the export', () => {
  test('has each step, as lines of JSON or as a table without formulas, for administrators', async () => {
    const { path, disk } = await corner(wire)
    await writeFile(join(disk, '=1+1.txt'), 'x')
    await move(`${path}/=1+1.txt`, `${path}/b.txt`)
    const query = `?path=${path}&kind=rename`
    const { headers, text } = await send(admin, 'GET', `/api/changes/export${query}`)
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="changes.ndjson"')
    const steps: ExportedStep[] = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(steps).toMatchObject([
      { user: 'admin', kind: 'rename', step: 'move', path: `${path}/=1+1.txt`, to: `${path}/b.txt` },
    ])
    const csv = (await send(admin, 'GET', `/api/changes/export${query}&format=csv`)).text.split('\r\n')
    expect(csv[0]).toBe('change,position,time,user,way,kind,step,path,to,isDir,state')
    expect(csv[1]).toContain(`,rename,move,${path}/=1+1.txt,${path}/b.txt,false,done`)
    const name = uniqueName('act')
    await enrol(wire, [{ name, may: EVERYTHING }])
    expect((await send(await person(wire, name, PASSWORD), 'GET', '/api/changes/export')).status).toBe(403)
    expect((await send(admin, 'GET', '/api/changes/export?format=xml')).status).toBe(400)
  })
})
