import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, encode, json, type Person, person } from '../api/client.ts'
import { entriesIn } from '../api/descriptors.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { head, openSocket } from '../api/raw.ts'
import { tusOf } from '../api/tus.ts'
import { type Console, shareProcess } from '../cli/console.ts'

const EDIT = ['download', 'create', 'rename', 'modify', 'delete']
const RIGHTS = ['create', 'delete', 'rename', 'modify', 'share', 'download'] as const

const openConsole = shareProcess()
let home: string
let server: OwnServer
let admin: Manager
let shell: Console
let on: string[]
/** The folders of the roots on this machine. */
let disk: Record<'media' | 'archive' | 'away', string>

const start = (...args: string[]) => startServer({ home, args: ['--config', join(home, 'roots.json'), ...args] })

beforeAll(async () => {
  home = await makeHome()
  disk = { media: join(home, 'media'), archive: join(home, 'archive'), away: join(home, 'away') }
  await mkdir(join(disk.media, 'team/sub'), { recursive: true })
  await mkdir(join(disk.archive, 'old'), { recursive: true })
  const roots = { media: disk.media, archive: { at: disk.archive, readOnly: true }, away: disk.away }
  await writeFile(join(home, 'roots.json'), JSON.stringify({ roots }))
  server = await start()
  admin = await manager(server)
  shell = await openConsole(home)
  on = ['-d', server.database, '-c', join(home, 'roots.json')]
})

afterAll(async () => {
  await server.stop()
})

/** A user with a home, and a mount of a new folder with the same three entries. */
async function mounted(
  rights = EDIT,
  how: { root?: 'media' | 'archive'; home?: readonly (typeof RIGHTS)[number][] } = {},
) {
  const { root = 'media', home: own = RIGHTS } = how
  const scope = `/${uniqueName('home')}`
  const ownHome = join(server.root, scope)
  await mkdir(join(ownHome, 'docs'), { recursive: true })
  await writeFile(join(ownHome, 'a.txt'), 'a')
  const user = await newcomer(server, admin, { scope, perm: perm(...own) })
  const name = uniqueName('Team')
  const folder = join(disk[root], name)
  await mkdir(join(folder, 'sub'), { recursive: true })
  for (const path of ['one.txt', 'sub/two.txt', '.dot']) await writeFile(join(folder, path), path)
  await shell.ok('mounts', 'add', name, '--of', root, '--folder', `/${name}`, ...on)
  await shell.ok('mounts', 'give', name, '--user', user.name, '--rights', rights.join(','), ...on)
  const files = await person(server, user.name, GOOD_PASSWORD)
  return { user, files, name, at: `/${name}`, folder, home: ownHome }
}

const move = ({ token }: Person, action: 'copy' | 'rename', from: string, to: string) =>
  call(server, `/api/resources${encode(from)}?action=${action}&destination=${encodeURIComponent(encode(to))}`, {
    method: 'PATCH',
    token,
  })

const save = ({ token }: Person, path: string, body: string) =>
  call(server, `/api/resources${encode(path)}`, { method: 'PUT', token, body })

const namesIn = async (files: Person, path: string): Promise<string[]> =>
  json(await files.get(path)).items.map(({ name }: { name: string }) => name)

describe('ROOT-01 what a mount allows', () => {
  type There = Awaited<ReturnType<typeof mounted>>
  const attempts: Record<string, { needs: string; act: (there: There) => Promise<{ status: number }> }> = {
    read: { needs: 'download', act: ({ files, at }) => files.raw(`${at}/one.txt`) },
    checksum: { needs: 'download', act: ({ files, at }) => files.get(`${at}/one.txt`, '?checksum=sha256') },
    zip: { needs: 'download', act: ({ files, at }) => files.raw(at, '?algo=zip') },
    upload: { needs: 'create', act: ({ files, at }) => files.put(`${at}/new.txt`, 'new') },
    folder: { needs: 'create', act: ({ files, at }) => files.put(`${at}/folder/`) },
    copyIn: { needs: 'create', act: ({ files, at }) => move(files, 'copy', '/a.txt', `${at}/copied.txt`) },
    copyOut: { needs: 'download', act: ({ files, at }) => move(files, 'copy', `${at}/sub`, '/docs/sub') },
    rename: { needs: 'rename', act: ({ files, at }) => move(files, 'rename', `${at}/sub`, `${at}/other`) },
    save: { needs: 'modify', act: ({ files, at }) => save(files, `${at}/one.txt`, 'saved') },
    remove: { needs: 'delete', act: ({ files, at }) => files.remove(`${at}/one.txt`) },
  }

  test('each effect needs its right there, whatever the user may do at home', async () => {
    const more = await mounted(EDIT, { home: ['create', 'download'] })
    const give = (rights: string[]) =>
      shell.ok('mounts', 'give', more.name, '--user', more.user.name, '--rights', rights.join(','), ...on)
    for (const [name, { needs, act }] of Object.entries(attempts)) {
      await give(EDIT.filter(right => right !== needs))
      expect([name, (await act(more)).status]).toEqual([name, 403])
    }
    await give(EDIT)
    for (const [name, { act }] of Object.entries(attempts)) {
      if (name !== 'rename')
        expect([name, (await act(more)).status]).toEqual([name, expect.toSatisfy(status => status < 300)])
    }
    expect((await attempts.rename?.act(more))?.status).toBe(200)
    expect((await more.files.remove('/a.txt')).status).toBe(403)
    expect(existsSync(join(more.folder, 'one.txt'))).toBe(false)
    expect(await readFile(join(more.home, 'docs/sub/two.txt'), 'utf8')).toBe('sub/two.txt')
    expect(await readFile(join(more.folder, 'other/two.txt'), 'utf8')).toBe('sub/two.txt')
  })

  test('a group gives it, and a root that is only read stays so', async () => {
    const { user, files, name, folder } = await mounted(EDIT, { root: 'archive' })
    const at = `/${name}`
    expect((await files.raw(`${at}/one.txt`)).text).toBe('one.txt')
    for (const { status } of [
      await files.put(`${at}/new.txt`, 'x'),
      await save(files, `${at}/one.txt`, 'x'),
      await files.remove(`${at}/one.txt`, '?permanent=true'),
      await move(files, 'rename', '/a.txt', `${at}/a.txt`),
    ])
      expect(status).toBe(403)
    expect((await readdir(folder)).sort()).toEqual(['.dot', 'one.txt', 'sub'])
    await shell.ok('mounts', 'take', name, '--user', user.name, ...on)
    expect((await files.get(`${at}/`)).status).toBe(404)
    const group = json(
      await send(server, 'POST', '/api/groups', admin.token, {
        ...{ name: uniqueName('g'), description: '', perm: {}, rules: [] },
      }),
    )
    await shell.ok('mounts', 'give', name, '--group', group.name, ...on)
    expect((await files.get(`${at}/`)).status).toBe(404)
    await send(server, 'PUT', `/api/groups/${group.id}/members/${user.id}`, admin.token)
    expect((await files.get(`${at}/`)).status).toBe(200)
  })

  test('a user finds out which folders are mounts, and what is allowed there', async () => {
    const { files, at, user } = await mounted(['download', 'create'], { home: ['download'] })
    const more = { root: 'archive', home: RIGHTS } as const
    const reader = await mounted(EDIT, more)
    const ownOf = async ({ token }: Person) => json(await call(server, '/api/mounts/own', { token }))
    const team = { path: at, root: 'media', rights: ['download', 'create'], trash: true }
    expect(await ownOf(files)).toEqual([team])
    expect(await ownOf(reader.files)).toEqual([{ path: reader.at, root: 'archive', rights: ['download'], trash: true }])
    await admin.update(user.id, ['rules'], { rules: [{ regex: false, allow: false, path: at, regexp: null }] })
    expect(await ownOf(files)).toEqual([])
    const none = await newcomer(server, admin)
    expect(await ownOf(await person(server, none.name, GOOD_PASSWORD))).toEqual([])
  })

  test('nothing in it is shared without the right, and a link to the home does not lead into it', async () => {
    const { files, at } = await mounted()
    const share = (path: string) => send(server, 'POST', `/api/share${encode(path)}`, files.token, {})
    expect((await share(`${at}/one.txt`)).status).toBe(403)
    expect((await share(at)).status).toBe(403)
    const link = await share('/')
    if (link.status < 300) {
      const { hash } = json(link)
      const listed = await call(server, `/api/public/share/${hash}/`)
      expect(listed.text).not.toContain(at.slice(1))
      expect((await call(server, `/api/public/dl/${hash}${at}/one.txt`)).status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('ROOT-01 a mount in the tree', () => {
  test('is listed at the top, and walks of the own files do not enter it', async () => {
    const { files, at, name } = await mounted()
    expect(await namesIn(files, '/')).toEqual(expect.arrayContaining(['a.txt', 'docs', name]))
    expect((await namesIn(files, `${at}/`)).sort()).toEqual(['.dot', 'one.txt', 'sub'])
    const all = await call(server, '/api/resources/recursive/', { token: files.token })
    expect(all.text).not.toContain(`${at}/`)
    const inside = await call(server, `/api/resources/recursive${at}/`, { token: files.token })
    expect(inside.text).toContain(`${at}/sub/two.txt`)
    const found = await call(server, `/api/search${at}/?query=two`, { token: files.token })
    expect(found.text).toContain('two.txt')
    expect((await files.usage(`${at}/`)).status).toBe(200)
  })

  test('ROOT-02 is not there for others, and no spelling or link on the disk leads out of it', async () => {
    const { at, folder, files } = await mounted()
    const other = await mounted()
    for (const path of [`${at}/one.txt`, `${at}/missing.txt`]) {
      const answer = await other.files.raw(path)
      expect([answer.status, answer.text]).toEqual([404, (await other.files.raw('/missing/x.txt')).text])
    }
    for (const path of ['//media/team', '/%2Fmedia/team', '//media'])
      expect((await call(server, `/api/resources${path}`, { token: other.files.token })).status).toBeGreaterThanOrEqual(
        400,
      )
    await symlink('../', join(folder, 'up'))
    await symlink(server.root, join(folder, 'main'))
    for (const path of ['up', 'up/team', 'main', 'main/a.txt', '../team'])
      expect((await call(server, `/api/raw${at}/${path}`, { token: files.token })).status).toBeGreaterThanOrEqual(400)
  })

  test('ROOT-03 own content of its name stays reachable, and takes nothing from it', async () => {
    const { files, at, home: own, name } = await mounted()
    expect((await files.put(at, 'a file of that name')).status).toBe(409)
    expect((await move(files, 'rename', '/docs', at)).status).toBe(409)
    expect((await files.remove(at, '?permanent=true')).status).toBe(403)
    expect((await move(files, 'rename', at, '/elsewhere')).status).toBe(403)
    await mkdir(join(own, name))
    await writeFile(join(own, name, 'mine.txt'), 'mine')
    expect(await namesIn(files, '/')).toEqual(expect.arrayContaining([name, `${name}(1)`]))
    expect((await files.raw(`${at}/mine.txt`)).text).toBe('mine')
    expect((await files.raw(`${at}(1)/one.txt`)).text).toBe('one.txt')
  })

  test('ROOT-09 rules of the user hold by the paths that the user sees', async () => {
    const { user, files, at, folder } = await mounted()
    await mkdir(join(folder, 'secret'))
    await writeFile(join(folder, 'secret/s.txt'), 's')
    await symlink('secret/s.txt', join(folder, 'link.txt'))
    const rules = [{ regex: false, allow: false, path: `${at}/secret`, regexp: null }]
    await admin.update(user.id, ['rules'], { rules })
    for (const path of ['secret/s.txt', 'link.txt'])
      expect((await files.raw(`${at}/${path}`)).status).toBeGreaterThanOrEqual(400)
    expect(await namesIn(files, `${at}/`)).not.toContain('secret')
    expect((await files.remove(`${at}/secret`, '?permanent=true')).status).toBe(403)
    await admin.update(user.id, ['rules'], { rules: [{ ...rules[0], path: at }] })
    expect(await namesIn(files, '/')).not.toContain(at.slice(1))
    expect((await files.raw(`${at}/one.txt`)).status).toBe(403)
  })
})

describe('a search by name', () => {
  const searched = async ({ token }: Person, path: string, query: string) => {
    const headers = { Accept: 'application/x-ndjson' }
    const answer = await call(server, `/api/search${path}?query=${encodeURIComponent(query)}`, { token, headers })
    const lines = answer.text.split('\n').filter(line => line.trim() !== '')
    return lines.map(line => JSON.parse(line)).map(({ path: found, unread }) => found ?? `unread: ${unread}`)
  }

  test('finds own files and those of all mounts, by the paths that the user sees, and their folders', async () => {
    const { files, name, at, home: own, user } = await mounted()
    const other = await mounted()
    await writeFile(join(own, 'two words.txt'), '')
    expect(await searched(files, '/', 'two')).toEqual(['two words.txt', `${name}/sub/two.txt`])
    expect(await searched(files, `${at}/`, 'two')).toEqual(['sub/two.txt'])
    expect(await searched(files, '/docs/', 'two')).toEqual([])
    expect(await searched(files, '/', name)).toEqual([name])
    expect(await searched(files, '/', 'size:>5B two')).toEqual([`${name}/sub/two.txt`])
    expect(await searched(other.files, '/', 'two')).toEqual([`${other.name}/sub/two.txt`])
    const rules = [{ regex: false, allow: false, path: `${at}/sub`, regexp: null }]
    await admin.update(user.id, ['rules'], { rules })
    expect(await searched(files, '/', 'two')).toEqual(['two words.txt'])
    await shell.ok('mounts', 'take', name, '--user', user.name, ...on)
    expect(await searched(files, '/', name)).toEqual([])
  })

  test('ROOT-02 nothing through links on the disk, and ROOT-07 says that a root is not there', async () => {
    const { files, folder, home: own } = await mounted()
    await symlink(server.root, join(folder, 'two-main'))
    await writeFile(join(own, 'two.txt'), '')
    expect((await searched(files, '/', 'two')).filter(path => path.includes('two-main/'))).toEqual([])
    await rename(disk.media, `${disk.media}-old`)
    try {
      expect(await searched(files, '/', 'two')).toEqual(['two.txt', 'unread: 1'])
    } finally {
      await rename(`${disk.media}-old`, disk.media)
    }
  })
})

test('a search of contents finds own files and those of mounts, as far as the user may read them', async () => {
  const { user, files, at, name, home: own, folder } = await mounted()
  const other = await mounted()
  const word = uniqueName('needle')
  for (const path of [join(own, 'own.txt'), join(folder, 'sub/deep.txt'), join(other.folder, 'theirs.txt')])
    await writeFile(path, `first\na ${word} here`)
  const search = ({ token }: Person, path: string) =>
    call(server, `/api/search${path}?query=${encodeURIComponent(`content:${word}`)}`, { token })
  const found = async (path = '/', by: Person = files) =>
    json(await search(by, path)).map((hit: { path: string }) => hit.path)
  const late = { timeout: 30_000 }
  await expect.poll(() => found(), late).toEqual(['own.txt', `${name}/sub/deep.txt`])
  await expect.poll(async () => (await search(files, '/')).headers.get('x-content-index'), late).toBe('complete')
  expect(json(await search(files, `${at}/`))).toEqual([
    { path: 'sub/deep.txt', dir: false, match: { line: 2, text: `a ${word} here` } },
  ])
  expect(await found('/docs/')).toEqual([])
  expect(await found('/', other.files)).toEqual([`${other.name}/theirs.txt`])
  expect((await files.put(`${at}/new.txt`, word)).status).toBe(200)
  await expect.poll(() => found(`${at}/`), late).toEqual(expect.arrayContaining(['new.txt', 'sub/deep.txt']))
  await rename(disk.media, `${disk.media}-old`)
  try {
    expect(await found()).toEqual(['own.txt'])
  } finally {
    await rename(`${disk.media}-old`, disk.media)
  }
  await admin.update(user.id, ['rules'], { rules: [{ regex: false, allow: false, path: `${at}/sub`, regexp: null }] })
  expect(await found()).toEqual(['own.txt', `${name}/new.txt`])
  await shell.ok('mounts', 'give', name, '--user', user.name, '--rights', 'create', ...on)
  expect(await found()).toEqual(['own.txt'])
  expect((await search(files, `${at}/`)).status).toBe(403)
})

test('the largest items of a mount are known without an index, as far as the user may see them', async () => {
  const { user, files, at, folder } = await mounted()
  await writeFile(join(folder, 'sub/large.bin'), Buffer.alloc(5000))
  const sizes = async (path: string) => json(await call(server, `/api/sizes${path}`, { token: files.token }))
  const sub = { name: 'sub', isDir: true, bytes: 5011, files: 2, folders: 0 }
  expect(await sizes(`${at}/`)).toMatchObject({ state: 'known', files: 4, folders: 1, unread: 0 })
  expect((await sizes(`${at}/`)).items[0]).toMatchObject(sub)
  expect(await sizes(`${at}/sub/`)).toMatchObject({ state: 'known', files: 2, bytes: 5011 })
  await admin.update(user.id, ['rules'], { rules: [{ regex: false, allow: false, path: `${at}/sub`, regexp: null }] })
  expect(await sizes(`${at}/`)).toMatchObject({ state: 'known', files: 2, folders: 0 })
})

describe('ROOT-04 between roots', () => {
  test('a folder moves there and back, each file once, with its time', async () => {
    const { files, at, folder, home: own } = await mounted()
    const old = new Date('2020-02-02T02:02:02Z')
    await mkdir(join(own, 'album/deep'), { recursive: true })
    for (let count = 0; count < 12; count += 1) {
      const path = join(own, 'album', count % 2 ? 'deep' : '.', `p${count}.bin`)
      await writeFile(path, Buffer.alloc(count * 9000, count))
      await utimes(path, old, old)
    }
    const there = await jobsOf(server, files).run({ kind: 'move', items: [{ from: '/album', to: `${at}/album` }] })
    expect(there.items?.map(({ state }) => state)).toEqual(['done'])
    expect(existsSync(join(own, 'album'))).toBe(false)
    expect((await readdir(join(folder, 'album/deep'))).length).toBe(6)
    expect((await stat(join(folder, 'album/p2.bin'))).mtime).toEqual(old)
    expect((await move(files, 'rename', `${at}/album`, '/album')).status).toBe(200)
    expect(existsSync(join(folder, 'album'))).toBe(false)
    expect((await readFile(join(own, 'album/deep/p11.bin'))).equals(Buffer.alloc(11 * 9000, 11))).toBe(true)
    expect((await stat(join(own, 'album/deep/p11.bin'))).mtime).toEqual(old)
    expect((await readdir(folder)).sort()).toEqual(['.dot', 'one.txt', 'sub'])
  })

  test('ROOT-05 what the copy leaves out stays, and so does its folder', async () => {
    const { files, at, home: own, folder } = await mounted()
    await mkdir(join(own, 'linked'))
    await writeFile(join(own, 'linked/x.txt'), 'x')
    await symlink('../docs', join(own, 'linked/docs'))
    expect((await move(files, 'rename', '/linked', `${at}/linked`)).status).toBe(501)
    expect(existsSync(join(own, 'linked/x.txt'))).toBe(true)
    expect(existsSync(join(folder, 'linked'))).toBe(false)
  })
})

describe('ROOT-06 a mount that is taken away', () => {
  test('ends with the next step, and leaves nothing behind', async () => {
    const { user, files, at, folder, name, home: own } = await mounted()
    const tus = tusOf(server, files)
    expect((await tus.create(`${at}/large.bin`, 6)).status).toBe(201)
    expect((await tus.patch(`${at}/large.bin`, 0, 'abc')).status).toBe(204)
    expect((await tus.patch(`${at}/large.bin`, 3, 'def')).status).toBe(204)
    expect(await readFile(join(folder, 'large.bin'), 'utf8')).toBe('abcdef')
    await tus.create(`${at}/second.bin`, 6)
    await tus.patch(`${at}/second.bin`, 0, 'abc')
    const socket = await openSocket(server)
    const request = {
      method: 'POST',
      target: `/api/resources${at}/whole.bin`,
      headers: { 'X-Auth': files.token, 'Content-Length': '6' },
    }
    socket.write(head(server, request))
    socket.write('abc')
    await expect.poll(() => entriesIn(folder, server)).toBe(6)
    await shell.ok('mounts', 'take', name, '--user', user.name, ...on)
    await new Promise(resolve => setTimeout(resolve, 200))
    socket.write('def')
    expect((await tus.patch(`${at}/second.bin`, 3, 'def')).status).toBeGreaterThanOrEqual(400)
    await expect
      .poll(async () => (await readdir(folder)).filter(entry => entry.startsWith('.~')).length)
      .toBeLessThan(2)
    socket.destroy()
    expect((await readdir(folder)).filter(entry => entry.endsWith('.bin'))).toEqual(['large.bin'])
    expect(existsSync(join(own, name))).toBe(false)
    expect((await files.get(`${at}/`)).status).toBe(404)
    expect((await files.get('/')).text).not.toContain(name)
  })
})

describe('ROOT-07 a root that is not there', () => {
  test('is missing at the start: what is in it is unavailable, and nothing else', async () => {
    const { user, files } = await mounted()
    expect(await shell.refused('mounts', 'add', 'Gone', '--of', 'away', ...on)).toContain('cannot be opened')
    await mkdir(disk.away)
    await shell.ok('mounts', 'add', 'Gone', '--of', 'away', ...on)
    await rm(disk.away, { recursive: true })
    await shell.ok('mounts', 'give', 'Gone', '--user', user.name, '--rights', 'all', ...on)
    expect((await files.get('/Gone/')).status).toBe(503)
    const begun = performance.now()
    expect(await namesIn(files, '/')).toEqual(expect.arrayContaining(['Gone', 'a.txt']))
    expect(performance.now() - begun).toBeLessThan(15_000)
    expect((await files.put('/Gone/x.txt', 'x')).status).toBe(503)
    expect(existsSync(disk.away)).toBe(false)
    expect((await files.put('/own.txt', 'own')).status).toBe(200)
  })

  test('has another folder in its place: nothing is read there, and nothing written', async () => {
    const { files, at } = await mounted()
    expect((await files.get(`${at}/`)).status).toBe(200)
    await rename(disk.media, `${disk.media}-old`)
    await mkdir(join(disk.media, at), { recursive: true })
    expect((await files.get(`${at}/`)).status).toBe(503)
    expect((await files.put(`${at}/x.txt`, 'x')).status).toBe(503)
    await rm(disk.media, { recursive: true })
    await rename(`${disk.media}-old`, disk.media)
    expect((await files.raw(`${at}/one.txt`)).text).toBe('one.txt')
  })
})

test('the audit log has the place in the root', async () => {
  const { files, name, at } = await mounted()
  await files.put(`${at}/logged.txt`, 'x')
  await jobsOf(server, files).run({ kind: 'copy', items: [{ from: '/a.txt', to: `${at}/job.txt` }] })
  const log = await call(server, '/api/audit?limit=50', { token: admin.token })
  expect(log.text).toContain(`//media/${name}/logged.txt`)
  expect(log.text).toContain(`//media/${name}/job.txt`)
})

test('CRASH-12 what a killed server left in another root is removed at the next start', async () => {
  // Elsewhere unfinished files have no names.
  await server.end()
  server = await start('--kernel=off')
  admin = await manager(server)
  const { files, at, folder, user } = await mounted()
  const tus = tusOf(server, files)
  await tus.create(`${at}/resumed.bin`, 6)
  await tus.patch(`${at}/resumed.bin`, 0, 'abc')
  const socket = await openSocket(server)
  socket.on('error', () => {})
  const request = {
    method: 'POST',
    target: `/api/resources${at}/new.bin`,
    headers: { 'X-Auth': files.token, 'Content-Length': '9000000' },
  }
  socket.write(head(server, request))
  socket.write(Buffer.alloc(1_000_000, 'k'))
  await expect.poll(async () => (await readdir(folder)).length).toBe(5)
  await server.end('SIGKILL')
  server = await start()
  await expect.poll(async () => (await readdir(folder)).length).toBe(4)
  const again = tusOf(server, await person(server, user.name, GOOD_PASSWORD))
  expect((await again.patch(`${at}/resumed.bin`, 3, 'def')).status).toBe(204)
  expect(await readFile(join(folder, 'resumed.bin'), 'utf8')).toBe('abcdef')
  admin = await manager(server)
})

test('ROOT-08 without the setting no user has a mount, and no place of another root leads into the first one', async () => {
  const { user, files, at } = await mounted()
  await server.end()
  server = await startServer({ home })
  const now = await person(server, user.name, GOOD_PASSWORD)
  expect(await namesIn(now, '/')).not.toContain(at.slice(1))
  expect((await now.get(`${at}/`)).status).toBe(404)
  expect(files.token).not.toBe('')
})
