import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeOf, changesOf } from './changes-client.ts'
import { call, encode, json, type Person, person } from './client.ts'
import { corner, openInstance, WITH_TRASH } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance(WITH_TRASH)
const admin = await person(wire)
const { list, details, post, undo, patch } = changesOf(wire)

describe('who may see and undo a change', () => {
  test('users see what happened in their scope, as far as rules let them', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'hidden'))
    await mkdir(join(disk, 'open'))
    const rules = [{ path: '/hidden', allow: false }]
    await enrol(wire, [{ name: 'changes-reader', may: [], scope: path, rules }])
    const reader = await person(wire, 'changes-reader', PASSWORD)
    const [seen, unseen] = [await admin.put(`${path}/open/a.txt`, 'a'), await admin.put(`${path}/hidden/b.txt`, 'b')]
    expect((await list(reader)).items.map(({ id }) => id)).toEqual([changeOf(seen)])
    expect((await list(reader)).items[0]).toMatchObject({
      folder: '/open',
      first: ['a.txt'],
      user: 'admin',
      mine: false,
    })
    for (const route of [`/api/changes/${changeOf(unseen)}`, '/api/changes/none']) {
      expect((await call(wire, route, { token: reader.token })).status).toBe(404)
      expect((await post(reader, `${route}/undo`, {})).status).toBe(404)
    }
    expect((await undo(reader, changeOf(seen))).results).toMatchObject([{ state: 'failed', code: 'forbidden' }])
    expect(await readFile(join(disk, 'open/a.txt'), 'utf8')).toBe('a')
  })

  test('the target of a move out of the scope is not shown, and it is not moved back', async () => {
    const { path, disk } = await corner(wire)
    await mkdir(join(disk, 'own'))
    await writeFile(join(disk, 'own/a.txt'), 'a')
    await enrol(wire, [{ name: 'changes-inner', may: EVERYTHING, scope: `${path}/own` }])
    const inner = await person(wire, 'changes-inner', PASSWORD)
    const id = changeOf(
      await patch(admin, `${path}/own/a.txt`, { action: 'rename', destination: encode(`${path}/secret.txt`) }),
    )
    const change = await details(inner, id)
    expect(change.steps).toMatchObject([{ kind: 'move', path: '/a.txt' }])
    expect(JSON.stringify(change)).not.toContain('secret')
    expect((await undo(inner, id)).results).toMatchObject([{ state: 'failed', code: 'forbidden' }])
  })

  test('filters: of the session, of a user, of a kind, undoable, by time', async () => {
    const { path } = await corner(wire)
    const other = await person(wire)
    const [first, second] = [await admin.put(`${path}/a.txt`, 'a'), await other.remove(`${path}/a.txt`)]
    const ids = async (who: Person, query: string) =>
      (await list(who, `?path=${encodeURIComponent(path)}&${query}`)).items.map(({ id }) => id)
    expect(await ids(admin, 'session=true')).toEqual([changeOf(first)])
    expect(await ids(other, 'session=true')).toEqual([changeOf(second)])
    expect(await ids(admin, 'mine=true')).toEqual([changeOf(second), changeOf(first)])
    expect(await ids(admin, 'kind=delete')).toEqual([changeOf(second)])
    expect(await ids(admin, 'user=nemo')).toEqual([])
    expect(await ids(admin, `before=${changeOf(second)}`)).toEqual([changeOf(first)])
    expect(await ids(admin, 'from=2200-01-01T00:00:00Z')).toEqual([])
    await undo(admin, changeOf(second))
    expect(await ids(admin, 'undoable=true&kind=delete')).toEqual([])
    for (const query of ['from=never', 'path=..']) {
      expect((await call(wire, `/api/changes?${query}`, { token: admin.token })).status).toBe(400)
    }
    const steps = await call(wire, `/api/changes/${changeOf(first)}?steps=x`, { token: admin.token })
    expect(steps.status).toBe(400)
  })
})

test('a stream of events has the changes of others that the caller may see, if it asks for them', async () => {
  const { path } = await corner(wire)
  await enrol(wire, [{ name: 'changes-stream', may: EVERYTHING, scope: path }])
  const { token } = await person(wire, 'changes-stream', PASSWORD)
  const streamOf = async (query: string) => {
    const stop = new AbortController()
    const init = { headers: { 'X-Auth': token }, signal: stop.signal }
    const { status, body } = await fetch(`${wire.url}/api/events${query}`, init)
    expect(status).toBe(200)
    return async () => {
      let text = ''
      for await (const piece of body ?? []) {
        text += Buffer.from(piece).toString()
        if (text.includes('event: change')) break
      }
      stop.abort()
      return text
    }
  }
  const [wide, narrow] = [await streamOf('?changes=true'), await streamOf('')]
  const unseen = changeOf(await admin.put(`${path}-unseen.txt`, 'x'))
  const seen = changeOf(await admin.put(`${path}/seen.txt`, 'x'))
  const text = await wide()
  expect(text).toContain(seen)
  expect(text).not.toContain(unseen)
  const own = changeOf(await call(wire, '/api/resources/own.txt', { method: 'POST', token }))
  const texts = await narrow()
  expect(texts).toContain(own)
  expect(texts).not.toContain(seen)
})

test('JRNL-04 of two who undo and redo at once, one does it, in 100 rounds', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  await enrol(wire, [{ name: 'changes-second', may: [...EVERYTHING, 'admin'] }])
  const other = await person(wire, 'changes-second', PASSWORD)
  const first = changeOf(await admin.remove(`${path}/a.txt`))
  let id = first
  for (let round = 0; round < 100; round += 1) {
    const answers = await Promise.all([undo(admin, id), undo(other, id)])
    const results = answers.flatMap(({ results = [] }) => results)
    expect(results.map(({ state }) => state).sort()).toEqual(['done', 'failed'])
    expect(results.find(({ state }) => state === 'failed')?.code).toBe('undone')
    expect(Object.keys(await snapshot(disk))).toEqual(round % 2 === 0 ? ['a.txt'] : [])
    const [change = ''] = answers.flatMap(({ change }) => change ?? [])
    id = round % 2 === 0 ? change : first
  }
})

describe('one action of many requests', () => {
  test('JRNL-06 uploads with one X-Gesture are one change, which a job undoes and does again', async () => {
    const { path, disk } = await corner(wire)
    const headers = { 'X-Gesture': crypto.randomUUID() }
    const upload = (name: string, override = '') =>
      call(wire, `/api/resources${encode(`${path}/${name}`)}${override}`, {
        method: 'POST',
        token: admin.token,
        headers,
        body: name,
      })
    const answers = [await upload('new/')]
    for (let n = 0; n < 30; n += 1) answers.push(await upload(`new/${n}.txt`))
    answers.push(await upload('new/7.txt', '?override=true'))
    const [id = '', ...others] = new Set(answers.map(changeOf))
    expect(others).toEqual([])
    const after = await snapshot(disk)
    expect(await details(admin, id)).toMatchObject({ kind: 'upload', count: 31 })
    const answer = await post(admin, `/api/changes/${id}/undo`, {})
    expect(answer.status).toBe(202)
    const job = await jobsOf(wire, admin).ended(json(answer).id)
    expect(job).toMatchObject({ kind: 'undo', count: { total: 31, done: 31 } })
    expect(await snapshot(disk)).toEqual({})
    const change = await details(admin, id)
    expect(change).toMatchObject({ state: 'undone' })
    const again = await post(admin, `/api/changes/${change.undoneBy}/undo`, {})
    expect((await jobsOf(wire, admin).ended(json(again).id)).count).toMatchObject({ total: 31, done: 31 })
    expect(await snapshot(disk)).toEqual(after)
  })

  test('other users and sessions do not join it', async () => {
    const { path } = await corner(wire)
    const headers = { 'X-Gesture': crypto.randomUUID() }
    const other = await person(wire)
    const ids = []
    for (const { token } of [admin, other]) {
      const body = 'a'
      ids.push(
        changeOf(
          await call(wire, `/api/resources${encode(path)}/${ids.length}`, { method: 'POST', token, headers, body }),
        ),
      )
    }
    expect(new Set(ids).size).toBe(2)
  })
})

test('JRNL-01 the rows of the audit log name the change, by which they are undone', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  const answers = [
    await patch(admin, `${path}/a.txt`, { action: 'rename', destination: encode(`${path}/b.txt`) }),
    await admin.remove(`${path}/b.txt`),
  ]
  const { rows } = json(await call(wire, `/api/audit?path=${encodeURIComponent(path)}`, { token: admin.token }))
  const changes = rows.map(({ change }: { change?: string }) => change)
  expect(changes).toEqual(answers.map(changeOf).reverse())
  for (const change of changes) await undo(admin, change)
  expect(Object.keys(await snapshot(disk))).toEqual(['a.txt'])
})
