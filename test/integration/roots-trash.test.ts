import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mount } from '../../shared/api/mounts.ts'
import type { KeptItem, TrashResult } from '../../shared/api/trash.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { type Console, shareProcess } from '../cli/console.ts'

const EDIT = ['download', 'create', 'rename', 'modify', 'delete']
const HOME = ['create', 'delete', 'rename', 'modify', 'share', 'download'] as const

const openConsole = shareProcess()
let shell: Console
let server: OwnServer
let admin: Manager
let disk: string
let args: string[]

beforeAll(async () => {
  const { home, ...root } = await withRoot()
  disk = root.disk
  args = root.args
  server = await startServer({ home, args })
  admin = await manager(server)
  shell = await openConsole(home)
})

afterAll(() => server.stop())

/** A folder of the other root with three entries, and its mount. */
async function team() {
  const name = uniqueName('Team')
  const folder = join(disk, name)
  await mkdir(join(folder, 'sub'), { recursive: true })
  for (const path of ['one.txt', 'sub/two.txt', '.dot']) await writeFile(join(folder, path), path)
  const made = await send(server, 'POST', '/api/mounts', admin.token, { name, root: 'media', folder: `/${name}` })
  return { name, folder, at: `/${name}`, id: (json(made) as Mount).id }
}

type Team = Awaited<ReturnType<typeof team>>

const give = ({ id }: Team, user: number, rights: readonly string[]) =>
  send(server, 'PUT', `/api/mounts/${id}/access/user/${user}`, admin.token, { rights })
const take = ({ id }: Team, user: number) =>
  send(server, 'DELETE', `/api/mounts/${id}/access/user/${user}`, admin.token)

/** A user with a home of their own who has a mount. */
async function member(of: Team | undefined, rights: readonly string[] = EDIT, more: object = {}) {
  const scope = `/${uniqueName('home')}`
  await mkdir(join(server.root, scope), { recursive: true })
  const user = await newcomer(server, admin, { scope, perm: perm(...HOME), ...more })
  if (of) await give(of, user.id, rights)
  return { ...user, files: await person(server, user.name, GOOD_PASSWORD), home: join(server.root, scope) }
}

const trashOf = async ({ token }: Person): Promise<KeptItem[]> =>
  json(await call(server, '/api/trash', { token })).items
const pathsIn = async (files: Person) => (await trashOf(files)).map(({ path }) => path)
const look = ({ token }: Person, path: string) => call(server, `/api/trash${path}`, { token })
const act = async ({ token }: Person, what: string, body: object): Promise<TrashResult[]> =>
  json(await send(server, 'POST', `/api/trash/${what}`, token, body)).results
const restore = (files: Person, id: string, to?: string) =>
  act(files, 'restore', { items: [{ id, ...(to !== undefined && { to }) }] })
const purge = (files: Person, id: string) => act(files, 'purge', { ids: [id] })

async function trash(files: Person, path: string): Promise<string> {
  const answer = await files.remove(path)
  const id = answer.headers.get('X-Kept')
  if (!id) throw new Error(`${path} was not kept: ${answer.status} ${answer.text}`)
  return id
}

/** The names in the area of the other root. */
async function areaOfDisk(): Promise<string[]> {
  const [area = ''] = (await readdir(disk)).filter(name => name.startsWith('.filigree-'))
  return readdir(join(disk, area, 'trash/files'))
}

describe('what is deleted in a mount', () => {
  test('ROOT-10 is kept on its own disk, listed where it was, and comes back to there', async () => {
    const there = await team()
    const { files, home } = await member(there)
    const id = await trash(files, `${there.at}/sub`)
    expect(existsSync(join(there.folder, 'sub'))).toBe(false)
    expect((await areaOfDisk()).filter(name => name.includes(id))).toHaveLength(1)
    expect(await readdir(home)).toEqual([])
    expect(await trashOf(files)).toMatchObject([{ id, path: `${there.at}/sub`, mine: true, isDir: true }])
    expect((await look(files, `/raw/${id}/two.txt`)).text).toBe('sub/two.txt')
    expect(await restore(files, id)).toEqual([{ id, state: 'done', to: `${there.at}/sub` }])
    expect(await readFile(join(there.folder, 'sub/two.txt'), 'utf8')).toBe('sub/two.txt')
    const log = await call(server, '/api/audit?limit=50', { token: admin.token })
    expect(log.text).toContain(`//media${there.at}/sub`)
  })

  test('ROOT-10 comes back by the undo of its deletion', async () => {
    const there = await team()
    const { files } = await member(there)
    const answer = await files.remove(`${there.at}/one.txt`)
    const change = answer.headers.get('X-Change')
    const undone = await send(server, 'POST', `/api/changes/${change}/undo`, files.token, {})
    expect(undone.status).toBe(200)
    expect(await readFile(join(there.folder, 'one.txt'), 'utf8')).toBe('one.txt')
  })

  test('ROOT-10 is deleted for good from its trash, one by one and all at once', async () => {
    const there = await team()
    const { files } = await member(there)
    const id = await trash(files, `${there.at}/one.txt`)
    await trash(files, `${there.at}/sub`)
    expect(await purge(files, id)).toEqual([{ id, state: 'done' }])
    expect(await act(files, 'purge', { all: true })).toMatchObject([{ state: 'done' }])
    expect(await trashOf(files)).toEqual([])
    await expect.poll(areaOfDisk).toEqual(expect.not.arrayContaining([expect.stringContaining(id)]))
  })

  test('ROOT-10 says the room of its own disk, at the path of the mount', async () => {
    const there = await team()
    const { files } = await member(there)
    await trash(files, `${there.at}/one.txt`)
    const rooms = json(await call(server, '/api/trash/room', { token: files.token }))
    expect(rooms).toMatchObject([{ place: there.at, count: 1, bytes: 7, total: expect.any(Number) }])
  })

  test('ROOT-10 is in no listing, search or archive of a mount of the whole root', async () => {
    const there = await team()
    const { files } = await member(there)
    await trash(files, `${there.at}/one.txt`)
    const whole = { ...(await team()), at: '/All' }
    const made = await send(server, 'POST', '/api/mounts', admin.token, { name: 'All', root: 'media', folder: '/' })
    const viewer = await member({ ...whole, id: (json(made) as Mount).id })
    const area = (await readdir(disk)).find(name => name.startsWith('.filigree-')) ?? ''
    const listed = await viewer.files.get('/All/')
    expect(listed.text).not.toContain('.filigree')
    expect((await viewer.files.get(`/All/${area}/`)).status).toBe(404)
    expect((await viewer.files.raw(`/All/${area}/README.txt`)).status).toBe(404)
    expect((await call(server, '/api/search/All/?query=filigree', { token: viewer.files.token })).text).not.toContain(
      'trash',
    )
    const headers = { Depth: '1', Authorization: `Basic ${btoa(`${viewer.name}:${GOOD_PASSWORD}`)}` }
    const dav = await call(server, '/dav/All/', { method: 'PROPFIND', headers })
    expect([dav.status, dav.text.includes('.filigree')]).toEqual([207, false])
  })
})

describe('who sees and restores what was deleted in a mount', () => {
  test('TRASH-04 other users of the mount see and restore it, and users without it do not, whatever they may do elsewhere', async () => {
    const there = await team()
    const owner = await member(there)
    const other = await member(there)
    const outsider = await member(undefined, [])
    const elsewhere = await member(await team())
    const id = await trash(owner.files, `${there.at}/one.txt`)
    expect(await pathsIn(other.files)).toEqual([`${there.at}/one.txt`])
    const boss = await person(server)
    for (const files of [outsider.files, elsewhere.files, boss]) {
      expect(await pathsIn(files)).toEqual([])
      expect(json(await look(files, '')).count).toBe(0)
      for (const path of [`/items/${id}`, `/raw/${id}`]) expect((await look(files, path)).status).toBe(404)
      expect(await restore(files, id)).toMatchObject([{ code: 'not_found' }])
      expect(await restore(files, id, '/mine.txt')).toMatchObject([{ code: 'not_found' }])
      expect(await purge(files, id)).toMatchObject([{ code: 'not_found' }])
    }
    expect(await purge(other.files, id)).toMatchObject([{ code: 'forbidden' }])
    expect(await restore(other.files, id)).toMatchObject([{ state: 'done' }])
  })

  test('TRASH-04 a user from whom the mount was taken sees and restores nothing of it', async () => {
    const there = await team()
    const { files, id: user } = await member(there)
    const id = await trash(files, `${there.at}/one.txt`)
    await take(there, user)
    expect(await trashOf(files)).toEqual([])
    expect((await look(files, `/raw/${id}`)).status).toBe(404)
    expect(await restore(files, id)).toMatchObject([{ code: 'not_found' }])
    expect(await restore(files, id, '/mine.txt')).toMatchObject([{ code: 'not_found' }])
    expect(await purge(files, id)).toMatchObject([{ code: 'not_found' }])
    await give(there, user, EDIT)
    expect(await restore(files, id)).toMatchObject([{ state: 'done' }])
  })

  test.each([
    ['create', 'restore'],
    ['delete', 'purge'],
    ['download', 'read'],
  ])('TRASH-04 the right to %s there is needed to %s it, whatever the user may do at home', async (right, what) => {
    const there = await team()
    const { files, id: user } = await member(there)
    const id = await trash(files, `${there.at}/one.txt`)
    await give(
      there,
      user,
      EDIT.filter(name => name !== right),
    )
    expect(await pathsIn(files)).toEqual([`${there.at}/one.txt`])
    if (what === 'read') expect((await look(files, `/raw/${id}`)).status).toBe(403)
    else expect(await (what === 'purge' ? purge : restore)(files, id)).toMatchObject([{ code: 'forbidden' }])
    expect(existsSync(join(there.folder, 'one.txt'))).toBe(false)
    await give(there, user, [right])
    if (what === 'read') expect((await look(files, `/raw/${id}`)).text).toBe('one.txt')
    else expect(await (what === 'purge' ? purge : restore)(files, id)).toMatchObject([{ state: 'done' }])
  })

  test('a user without rights at home does all that the mount allows', async () => {
    const there = await team()
    const { files } = await member(there, EDIT, { perm: perm() })
    const id = await trash(files, `${there.at}/one.txt`)
    expect((await look(files, `/raw/${id}`)).text).toBe('one.txt')
    expect(await restore(files, id)).toMatchObject([{ state: 'done' }])
  })

  test('TRASH-04 a rule for a path in the mount hides it from its user', async () => {
    const there = await team()
    const owner = await member(there)
    const rules = [{ regex: false, allow: false, path: `${there.at}/sub`, regexp: { raw: '' } }]
    const other = await member(there, EDIT, { rules })
    const id = await trash(owner.files, `${there.at}/sub/two.txt`)
    await trash(owner.files, `${there.at}/one.txt`)
    expect(await pathsIn(other.files)).toEqual([`${there.at}/one.txt`])
    expect((await look(other.files, `/raw/${id}`)).status).toBe(404)
    expect(await restore(other.files, id, `${there.at}/mine.txt`)).toMatchObject([{ code: 'not_found' }])
  })

  test('TRASH-04 it comes back in the own files and those in a mount, and leaves the trash', async () => {
    const there = await team()
    const { files, home } = await member(there)
    await writeFile(join(home, 'own.txt'), 'own')
    const id = await trash(files, `${there.at}/sub`)
    const own = await trash(files, '/own.txt')
    expect(await restore(files, id, '/new/sub')).toEqual([{ id, state: 'done', to: '/new/sub' }])
    expect(await restore(files, own, `${there.at}/own.txt`)).toMatchObject([{ state: 'done' }])
    expect(await readFile(join(home, 'new/sub/two.txt'), 'utf8')).toBe('sub/two.txt')
    expect(await readFile(join(there.folder, 'own.txt'), 'utf8')).toBe('own')
    expect(await trashOf(files)).toEqual([])
    expect((await areaOfDisk()).filter(name => name.includes(id))).toEqual([])
  })

  test('TRASH-05 in another root a folder merges, and a taken name is kept', async () => {
    const there = await team()
    const { files, home } = await member(there)
    await mkdir(join(home, 'sub'))
    await writeFile(join(home, 'sub/two.txt'), 'standing')
    const id = await trash(files, `${there.at}/sub`)
    expect(await restore(files, id, '/sub')).toMatchObject([{ state: 'done' }])
    expect((await readdir(join(home, 'sub'))).toSorted()).toEqual(['two(1).txt', 'two.txt'])
    expect(await readFile(join(home, 'sub/two.txt'), 'utf8')).toBe('standing')
    expect(await trashOf(files)).toEqual([])
  })

  test.each(['into a mount', 'into the own files'])(
    'VERS-05 what comes back %s keeps its versions and stars, and what has come to its old path gets none',
    async where => {
      const there = await team()
      const { files, home } = await member(there)
      const [from, to] = where === 'into a mount' ? ['', there.at] : [there.at, '']
      await mkdir(join(from === '' ? home : there.folder, 'tree'))
      await mkdir(join(to === '' ? home : there.folder, 'tree'))
      const save = (path: string, body: string) =>
        call(server, `/api/resources${path}?override=true`, { method: 'POST', token: files.token, body })
      const textsOf = async (path: string) => {
        const { items } = json(await call(server, `/api/versions${path}`, { token: files.token }))
        const contents = items.map(({ id }: { id: string }) =>
          call(server, `/api/kept/raw/${id}`, { token: files.token }),
        )
        return (await Promise.all(contents)).map(({ text }) => text)
      }
      for (const body of ['one', 'two', 'three']) await save(`${from}/tree/a.txt`, body)
      for (const body of ['other', 'others']) await save(`${to}/tree/a.txt`, body)
      const starred = await call(server, `/api/stars${from}/tree/a.txt`, { method: 'PUT', token: files.token })
      expect(starred.status).toBe(204)
      const id = await trash(files, `${from}/tree`)
      await save(`${from}/tree/a.txt`, 'new')
      expect(await restore(files, id, `${to}/tree`)).toMatchObject([{ state: 'done' }])
      expect(await textsOf(`${to}/tree/a(1).txt`)).toEqual(['two', 'one'])
      expect(await textsOf(`${to}/tree/a.txt`)).toEqual(['other'])
      expect(await textsOf(`${from}/tree/a.txt`)).toEqual([])
      const { items } = json(await call(server, '/api/stars', { token: files.token }))
      expect(items).toMatchObject([{ path: `${to}/tree/a(1).txt` }])
    },
  )

  test('a link to what comes back in a mount has ended, and its name is free', async () => {
    const there = await team()
    const { files, home } = await member(there)
    for (const name of ['own.txt', 'other.txt']) await writeFile(join(home, name), name)
    const slug = uniqueName('ended')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')
    const share = (path: string) => send(server, 'POST', `/api/share${path}`, files.token, { slug, password: 'p' })
    const { hash } = json(await share('/own.txt'))
    const opens = async () =>
      (await call(server, `/api/public/share/${hash}`, { headers: { 'X-SHARE-PASSWORD': 'p' } })).status
    expect(await opens()).toBe(200)
    const id = await trash(files, '/own.txt')
    expect((await share('/other.txt')).status).toBe(409)
    expect(await restore(files, id, `${there.at}/own.txt`)).toMatchObject([{ state: 'done' }])
    expect(await opens()).toBe(404)
    expect((await share('/other.txt')).status).toBe(200)
  })

  test('TRASH-04 of a mount without the right to delete, a copy comes back, and without the right to read nothing', async () => {
    const there = await team()
    const owner = await member(there)
    const reader = await member(there, ['download'])
    const blind = await member(there, ['create', 'delete'])
    const id = await trash(owner.files, `${there.at}/one.txt`)
    expect(await restore(blind.files, id, '/one.txt')).toMatchObject([{ code: 'forbidden' }])
    expect(await restore(reader.files, id, '/one.txt')).toMatchObject([{ state: 'done' }])
    expect(await readFile(join(reader.home, 'one.txt'), 'utf8')).toBe('one.txt')
    expect(await restore(owner.files, id)).toMatchObject([{ state: 'done' }])
  })

  test('a tree with a link does not leave its root, and stays in the trash', async () => {
    const there = await team()
    const { files, home } = await member(there)
    await symlink('two.txt', join(there.folder, 'sub/link'))
    const id = await trash(files, `${there.at}/sub`)
    expect(await restore(files, id, '/sub')).toMatchObject([{ code: 'unsupported' }])
    expect(await readdir(home)).toEqual([])
    expect(await restore(files, id)).toMatchObject([{ state: 'done' }])
  })

  test('the undo of such a restore puts it into the trash again', async () => {
    const there = await team()
    const { files, home } = await member(there)
    const id = await trash(files, `${there.at}/one.txt`)
    const order = { items: [{ id, to: '/one.txt' }] }
    const answer = await send(server, 'POST', '/api/trash/restore', files.token, order)
    const change = answer.headers.get('X-Change')
    expect((await send(server, 'POST', `/api/changes/${change}/undo`, files.token, {})).status).toBe(200)
    expect(await readdir(home)).toEqual([])
    expect(await pathsIn(files)).toEqual(['/one.txt'])
  })
})

test('ROOT-07 what was deleted in a root that is not there is listed, and comes back with it', async () => {
  const there = await team()
  const { files } = await member(there)
  const id = await trash(files, `${there.at}/one.txt`)
  await rename(disk, `${disk}-away`)
  await mkdir(disk)
  expect(await pathsIn(files)).toEqual([`${there.at}/one.txt`])
  expect((await look(files, `/raw/${id}`)).status).toBe(503)
  expect(await restore(files, id)).toMatchObject([{ code: 'unavailable' }])
  expect(await readdir(disk)).toEqual([])
  await rm(disk, { recursive: true })
  await rename(`${disk}-away`, disk)
  expect(await restore(files, id)).toMatchObject([{ state: 'done' }])
})

test('VERS-01 what a save replaces in a mount is kept on its disk, read by those who may read there, and comes back', async () => {
  const there = await team()
  const { files, id: user, home } = await member(there)
  const save = (body: string) =>
    call(server, `/api/resources${there.at}/one.txt`, { method: 'PUT', token: files.token, body })
  const id = (await save('second')).headers.get('X-Kept') ?? ''
  const listed = () => call(server, `/api/versions${there.at}/one.txt`, { token: files.token })
  expect(json(await listed())).toMatchObject({ supported: true, items: [{ id, path: `${there.at}/one.txt` }] })
  const read = () => call(server, `/api/kept/raw/${id}`, { token: files.token })
  expect((await read()).text).toBe('one.txt')
  expect(await readdir(home)).toEqual([])
  await give(
    there,
    user,
    EDIT.filter(right => right !== 'download'),
  )
  expect((await read()).status).toBe(404)
  await take(there, user)
  expect((await read()).status).toBe(404)
  await give(there, user, EDIT)
  const restored = await send(server, 'POST', `/api/versions${there.at}/one.txt`, files.token, { id, how: 'replace' })
  expect(restored.status).toBe(200)
  expect(await readFile(join(there.folder, 'one.txt'), 'utf8')).toBe('one.txt')
})

describe('the commands for the trash of a further root', () => {
  const on = () => ['--of', 'media', '-d', server.database, ...args]
  const listed = async (...more: string[]) =>
    (await shell.ok('trash', 'ls', '--json', ...more, ...on()))
      .split('\n')
      .flatMap(line => (line ? JSON.parse(line) : []))

  test('ROOT-10 list what was deleted in its mounts, and restore it to where it was or to another path', async () => {
    const there = await team()
    const { files, name } = await member(there)
    const [one, two] = [await trash(files, `${there.at}/one.txt`), await trash(files, `${there.at}/sub`)]
    const under = `/media/${there.name}`
    expect(await listed('--under', under)).toMatchObject([
      { id: two, path: `${under}/sub`, isDir: true },
      { id: one, path: `${under}/one.txt`, by: name },
    ])
    expect(await listed('--user', name)).toHaveLength(2)
    expect(await shell.ok('trash', 'ls', '-d', server.database, ...args)).not.toContain(one)
    expect(await shell.ok('trash', 'restore', two, ...on())).toBe(`${under}/sub\n`)
    expect(await readFile(join(there.folder, 'sub/two.txt'), 'utf8')).toBe('sub/two.txt')
    await shell.ok('trash', 'restore', one, '--to', `${under}/sub/one.txt`, ...on())
    expect(await readFile(join(there.folder, 'sub/one.txt'), 'utf8')).toBe('one.txt')
    const log = await call(server, '/api/audit?limit=20', { token: admin.token })
    expect(log.text).toContain(`//media/${there.name}/sub/one.txt`)
  })

  test('ROOT-10 empty it and leave that of the served folder, and refuse roots and folders that are not its own', async () => {
    const there = await team()
    const { files, home } = await member(there)
    await writeFile(join(home, 'own.txt'), 'own')
    const own = await trash(files, '/own.txt')
    await trash(files, `${there.at}/one.txt`)
    expect(await shell.refused('trash', 'empty', ...on())).toContain('Add --yes')
    await shell.ok('trash', 'empty', '--yes', ...on())
    expect(await listed()).toEqual([])
    expect(await areaOfDisk()).toEqual([])
    expect((await trashOf(files)).map(({ id }) => id)).toEqual([own])
    expect(await shell.refused('trash', 'ls', '--under', '/docs', ...on())).toContain("begin with '/media'")
    expect(await shell.refused('trash', 'ls', '--of', 'none', '-d', server.database, ...args)).toBe(
      "The configuration names no root 'none'.",
    )
  })
})
