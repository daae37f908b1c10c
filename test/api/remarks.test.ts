import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { type Comment, MAX_COMMENT, MAX_NOTE, type Note } from '../../shared/api/remarks.ts'
import type { SearchHit } from '../../shared/api/search.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { uniqueName } from './harness.ts'
import { type Corner, corner, KEEPS_DELETED, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'

const wire = await openInstance()
const [annas, bens, readers, strangers] = ['anna', 'ben', 'reader', 'stranger'].map(name => uniqueName(name)) as [
  string,
  string,
  string,
  string,
]
await enrol(wire, [
  { name: annas, may: EVERYTHING },
  { name: bens, may: EVERYTHING },
  { name: readers, may: ['download'] },
  { name: strangers, may: EVERYTHING, scope: `/elsewhere-${strangers}` },
])
const [closed, barredName] = [uniqueName('closed'), uniqueName('barred')]
await enrol(wire, [{ name: barredName, may: EVERYTHING, rules: [{ path: `/${closed}`, allow: false }] }])
const barred = await person(wire, barredName, PASSWORD)
const admin = await person(wire)
const anna = await person(wire, annas, PASSWORD)
const ben = await person(wire, bens, PASSWORD)
const reader = await person(wire, readers, PASSWORD)
const stranger = await person(wire, strangers, PASSWORD)

const send = (who: Person, method: string, path: string, body?: object): Promise<Answer> =>
  call(wire, path, {
    method,
    token: who.token,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
const setNote = async (who: Person, path: string, text: string) =>
  (await send(who, 'PUT', `/api/notes${encode(path)}`, { text })).status
const note = async (who: Person, path: string): Promise<Note> =>
  json(await send(who, 'GET', `/api/notes${encode(path)}`))
const comment = (who: Person, path: string, text: string) => send(who, 'POST', `/api/comments${encode(path)}`, { text })
const comments = async (who: Person, path: string): Promise<Comment[]> =>
  json(await send(who, 'GET', `/api/comments${encode(path)}`)).items
const texts = async (who: Person, path: string) => (await comments(who, path)).map(({ text }) => text)
const marks = async (folder: string) => json(await send(anna, 'GET', `/api/marks${encode(folder)}`))
const patch = (action: 'rename' | 'copy', from: string, to: string) =>
  send(anna, 'PATCH', `/api/resources${encode(from)}?${new URLSearchParams({ action, destination: encode(to) })}`)

async function withFile(): Promise<Corner & { file: string }> {
  const there = await corner(wire)
  await mkdir(join(there.disk, 'docs'))
  await writeFile(join(there.disk, 'docs/a.txt'), 'content')
  return { ...there, file: `${there.path}/docs/a.txt` }
}

test('what a rule denies shows neither note nor comments, and takes none', async () => {
  const file = `/${closed}/a.txt`
  expect((await anna.put(file, 'content')).status).toBe(200)
  onTestFinished(async () => void (await anna.remove(`/${closed}`)))
  for (const kind of ['notes', 'comments'])
    expect((await send(barred, 'GET', `/api/${kind}${encode(file)}`)).status).toBe(403)
  expect((await comment(barred, file, 'mine')).status).toBe(403)
})

test('the comments on an item are limited', async () => {
  const { file } = await withFile()
  const value = LIMITS.itemComments
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < value + 10; sent += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => comment(anna, file, `${sent + index}`)))
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(statuses).toEqual(
    new Map([
      [201, value],
      [409, 10],
    ]),
  )
})

describe('a note', () => {
  test('is written by users who may modify, read by all who see the item, and removed by an empty text', async () => {
    const { file } = await withFile()
    expect(await note(anna, file)).toEqual({ text: '' })
    expect(await setNote(anna, file, 'As sent\nto the *bank*')).toBe(204)
    const read = await note(reader, file)
    expect(read).toEqual({ text: 'As sent\nto the *bank*', username: annas, time: read.time })
    expect(Date.parse(read.time ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(await setNote(reader, file, 'mine')).toBe(403)
    expect(await setNote(ben, file, 'As paid')).toBe(204)
    expect(await note(anna, file)).toMatchObject({ text: 'As paid', username: bens })
    expect(await setNote(ben, file, '')).toBe(204)
    expect(await note(anna, file)).toEqual({ text: '' })
  })

  test(`has at most ${MAX_NOTE} bytes, and the root has none`, async () => {
    const { file } = await withFile()
    expect(await setNote(anna, file, 'ä'.repeat(MAX_NOTE / 2))).toBe(204)
    expect(await setNote(anna, file, 'ä'.repeat(MAX_NOTE / 2 + 1))).toBe(400)
    expect((await note(anna, file)).text).toHaveLength(MAX_NOTE / 2)
    expect(await setNote(anna, '/', 'all of it')).toBe(400)
    expect(await note(anna, '/')).toEqual({ text: '' })
  })

  test('is searched with note:, in any case, by users who see the item', async () => {
    const { path, disk, file } = await withFile()
    await mkdir(join(disk, 'ÄRGER'))
    const found = async (query: string, who = anna, folder = path) => {
      const answer = await send(who, 'GET', `/api/search${encode(folder)}?${new URLSearchParams({ query })}`)
      return (json(answer) as SearchHit[]).map(hit => hit.path).sort()
    }
    await setNote(anna, file, 'As sent to the Bank')
    await setNote(anna, `${path}/ÄRGER`, 'Die ÖFFNUNG der bank')
    expect(await found('note:bank')).toEqual(['docs/a.txt', 'ÄRGER'])
    expect(await found('note:BANK note:öffnung')).toEqual(['ÄRGER'])
    expect(await found('note:"the bank"', reader)).toEqual(['docs/a.txt'])
    expect(await found('note:bank type:txt')).toEqual(['docs/a.txt'])
    expect(await found('note:bank', anna, `${path}/docs`)).toEqual(['a.txt'])
    expect(await found('note:bank', stranger, '/')).toEqual([])
    expect(await found('note:elsewhere')).toEqual([])
  })

  test('is found among more notes than are read at a time', async () => {
    const { path, disk, file } = await withFile()
    await setNote(anna, file, 'the one with the needle')
    const names = Array.from({ length: LIMITS.notesPage + 5 }, (_, index) => `${index}.txt`)
    await Promise.all(names.map(name => writeFile(join(disk, name), name)))
    await Promise.all(names.map(name => setNote(anna, `${path}/${name}`, 'hay')))
    const found = async (word: string) =>
      json(await send(anna, 'GET', `/api/search${encode(path)}/?query=note:${word}`)).length
    expect([await found('needle'), await found('hay')]).toEqual([1, names.length])
  })
})

describe('comments', () => {
  test('are listed in their order with their users, who change and delete their own', async () => {
    const { file } = await withFile()
    const answer = await comment(anna, file, ' Page 3 is missing. ')
    const first = json(answer) as Comment
    expect([answer.status, first]).toEqual([
      201,
      { id: first.id, username: annas, text: 'Page 3 is missing.', time: first.time, own: true },
    ])
    expect((await comment(reader, file, 'It is in the post.')).status).toBe(201)
    expect((await comments(ben, file)).map(({ username, text, own }) => [username, text, own])).toEqual([
      [annas, 'Page 3 is missing.', false],
      [readers, 'It is in the post.', false],
    ])
    expect((await send(anna, 'PATCH', `/api/comment/${first.id}`, { text: 'Page 4 is missing.' })).status).toBe(204)
    expect((await comments(anna, file))[0]).toMatchObject({ text: 'Page 4 is missing.', edited: expect.any(String) })
    expect((await send(anna, 'DELETE', `/api/comment/${first.id}`)).status).toBe(204)
    expect(await texts(anna, file)).toEqual(['It is in the post.'])
    expect((await send(anna, 'DELETE', `/api/comment/${first.id}`)).status).toBe(404)
  })

  test('of other users cannot be changed, and administrators delete them', async () => {
    const { file } = await withFile()
    const { id } = json(await comment(anna, file, 'mine')) as Comment
    for (const [method, body] of [['PATCH', { text: 'other' }], ['DELETE']] as const)
      expect((await send(ben, method, `/api/comment/${id}`, body)).status).toBe(403)
    expect((await send(admin, 'PATCH', `/api/comment/${id}`, { text: 'other' })).status).toBe(403)
    expect(await texts(anna, file)).toEqual(['mine'])
    expect((await send(admin, 'DELETE', `/api/comment/${id}`)).status).toBe(204)
    expect(await texts(anna, file)).toEqual([])
  })

  test('and notes are not found by users who do not see the item', async () => {
    const { file } = await withFile()
    const { id } = json(await comment(anna, file, 'between us')) as Comment
    for (const [method, path, body] of [
      ['GET', `/api/comments${encode(file)}`],
      ['POST', `/api/comments${encode(file)}`, { text: 'x' }],
      ['GET', `/api/notes${encode(file)}`],
      ['PUT', `/api/notes${encode(file)}`, { text: 'x' }],
      ['PATCH', `/api/comment/${id}`, { text: 'x' }],
      ['DELETE', `/api/comment/${id}`],
    ] as const)
      expect([method, path, (await send(stranger, method, path, body)).status]).toEqual([method, path, 404])
    expect(await texts(anna, file)).toEqual(['between us'])
  })

  test(`have text, and at most ${MAX_COMMENT} bytes of it`, async () => {
    const { file } = await withFile()
    expect((await comment(anna, file, 'x'.repeat(MAX_COMMENT))).status).toBe(201)
    for (const text of ['', ' \n ', 'x'.repeat(MAX_COMMENT + 1), 'ä'.repeat(MAX_COMMENT / 2 + 1)])
      expect((await comment(anna, file, text)).status).toBe(400)
    expect(await texts(anna, file)).toHaveLength(1)
  })
})

describe('notes and comments', () => {
  test('follow an item that is saved, moved and renamed with its folder; a copy has none', async () => {
    const { path, file } = await withFile()
    await setNote(anna, file, 'a note')
    await comment(ben, file, 'a comment')
    const saved = await send(anna, 'PUT', `/api/resources${encode(file)}`, { more: 'content' })
    expect(saved.status).toBe(200)
    expect((await patch('copy', file, `${path}/copy.txt`)).status).toBe(200)
    expect((await patch('rename', `${path}/docs`, `${path}/texts`)).status).toBe(200)
    const now = `${path}/texts/a.txt`
    expect([(await note(anna, now)).text, await texts(anna, now)]).toEqual(['a note', ['a comment']])
    expect([await note(anna, `${path}/copy.txt`), await texts(anna, `${path}/copy.txt`)]).toEqual([{ text: '' }, []])
  })

  test.runIf(KEEPS_DELETED)(
    'go to the trash with their item, and come back; a new item at its path has none',
    async () => {
      const { file } = await withFile()
      await setNote(anna, file, 'a note')
      await comment(ben, file, 'a comment')
      expect((await send(anna, 'DELETE', `/api/resources${encode(file)}`)).status).toBe(204)
      expect((await send(anna, 'GET', `/api/comments${encode(file)}`)).status).toBe(404)
      expect((await send(anna, 'POST', `/api/resources${encode(file)}`, { new: true })).status).toBe(200)
      expect([await note(anna, file), await texts(anna, file)]).toEqual([{ text: '' }, []])
      expect((await send(anna, 'DELETE', `/api/resources${encode(file)}`)).status).toBe(204)
      const { items } = json(await send(anna, 'GET', '/api/trash'))
      const first = items.filter((item: { path: string }) => item.path === file).at(-1)
      expect((await send(anna, 'POST', '/api/trash/restore', { items: [{ id: first.id }] })).status).toBe(200)
      expect([(await note(anna, file)).text, await texts(anna, file)]).toEqual(['a note', ['a comment']])
    },
  )

  test('are among the marks of a folder', async () => {
    const { path, file } = await withFile()
    await setNote(anna, file, 'a note')
    await comment(anna, file, 'one')
    await comment(ben, file, 'two')
    expect(await marks(`${path}/docs`)).toEqual({ 'a.txt': { note: true, comments: 2 } })
  })

  test('are in the audit log with their item', async () => {
    const { file } = await withFile()
    await setNote(anna, file, 'a note')
    const { id } = json(await comment(anna, file, 'a comment')) as Comment
    await send(admin, 'DELETE', `/api/comment/${id}`)
    const { rows } = json(await send(admin, 'GET', '/api/audit?limit=50'))
    const about = rows
      .filter((row: { path: string }) => row.path === file)
      .map((row: { action: string; username: string }) => [row.action, row.username])
    expect(about.toReversed()).toEqual([
      ['note.set', annas],
      ['comment.add', annas],
      ['comment.remove', 'admin'],
    ])
  })
})
