import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { call, json, type Person, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

interface Place {
  server: OwnServer
  admin: Person
  shell: Console
  /** Deletes a file over the API. @returns its id in the trash */
  deleted(name: string): Promise<string>
}

/** A running server, and a console next to it. */
async function running(): Promise<Place> {
  const server = await serveOnce()
  const admin = await person(server)
  const found = await openConsole(server.home)
  const shell: Console = {
    ...found,
    ok: (...args) => found.ok(...args, '-d', server.database),
    refused: (...args) => found.refused(...args, '-d', server.database),
    run: (...args) => found.run(...args, '-d', server.database),
  }
  const deleted = async (name: string) => {
    await writeFile(join(server.root, name), name)
    return (await admin.remove(`/${name}`)).headers.get('X-Kept') ?? ''
  }
  return { server, admin, shell, deleted }
}

const idsIn = (lines: string) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line).id)

const auditOf = async ({ server, admin }: Place): Promise<Record<string, string>[]> =>
  json(await call(server, '/api/audit', { token: admin.token })).rows.filter(
    ({ way }: Record<string, string>) => way === 'console',
  )

test('trash ls lists what users deleted, by user, folder and time', async () => {
  const { server, admin, shell, deleted } = await running()
  const [one, two] = [await deleted('a.txt'), await deleted('b\u{7}.txt')]
  await mkdir(join(server.root, 'docs'))
  const three = await deleted('docs/c.txt')
  const lines = (await shell.ok('trash', 'ls')).split('\n')
  expect(lines[0]).toMatch(/^ID +Deleted +By +Bytes +Path$/)
  expect(lines[1]).toMatch(new RegExp(`^${three} .* admin +10 +/docs/c.txt$`))
  expect(lines[2]).toMatch(/b␇\.txt$/)
  expect(idsIn(await shell.ok('trash', 'ls', '--json'))).toEqual([three, two, one])
  expect(idsIn(await shell.ok('trash', 'ls', '--json', '--under', '/docs'))).toEqual([three])
  expect(idsIn(await shell.ok('trash', 'ls', '--json', '--user', 'admin', '--before', '2020-01-01'))).toEqual([])
  expect(idsIn(await shell.ok('trash', 'ls', '--json', '--user', '99'))).toEqual([])
  expect(await shell.refused('trash', 'ls', '--user', 'eve')).toContain("There is no user 'eve'.")
  expect(await shell.refused('trash', 'ls', '--before', 'soon')).toBe("--before: 'soon' is not a time.")
  expect((await admin.get('/')).status).toBe(200)
})

test('trash restore brings items back while the server runs, and the audit log says so', async () => {
  const place = await running()
  const { server, admin, shell, deleted } = place
  const [one, two, three] = [await deleted('a.txt'), await deleted('a.txt'), await deleted('b.txt')]
  expect(await shell.ok('trash', 'restore', one, two)).toBe('/a.txt\n/a(1).txt\n')
  expect(await shell.ok('trash', 'restore', three, '--to', '/docs/new.txt')).toBe('/docs/new.txt\n')
  expect(await readFile(join(server.root, 'docs/new.txt'), 'utf8')).toBe('b.txt')
  expect((await admin.raw('/a(1).txt')).text).toBe('a.txt')
  const { code, err } = await shell.run('trash', 'restore', one)
  expect([code, err]).toEqual([1, `${one}: not_found\nNot restored: 1 of 1.\n`])
  const rows = await auditOf(place)
  expect(rows.map(({ action, path, target }) => [action, path, target])).toEqual([
    ['trash.restore', '/b.txt', '/docs/new.txt'],
    ['trash.restore', '/a.txt', '/a(1).txt'],
    ['trash.restore', '/a.txt', '/a.txt'],
  ])
})

test('trash restore --replace moves what has the name to the trash', async () => {
  const { server, shell, deleted } = await running()
  const id = await deleted('a.txt')
  await writeFile(join(server.root, 'a.txt'), 'newer')
  await shell.ok('trash', 'restore', id, '--replace')
  expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('a.txt')
  expect(idsIn(await shell.ok('trash', 'ls', '--json'))).toHaveLength(1)
})

test('trash empty deletes for good only with --yes', async () => {
  const place = await running()
  const { server, shell, deleted } = place
  await deleted('a.txt')
  await deleted('b.txt')
  expect(await shell.refused('trash', 'empty')).toBe('2 items would be deleted for good. Add --yes to do it.')
  expect(await shell.ok('trash', 'empty', '--yes', '--before', '2020-01-01')).toBe('Deleted for good: 0 of 0.\n')
  expect(await shell.ok('trash', 'empty', '--yes')).toBe('Deleted for good: 2 of 2.\n')
  const area = (await readdir(server.root)).find(name => name.startsWith('.filigree-')) ?? ''
  expect(await readdir(join(server.root, area, 'trash/files'))).toEqual([])
  expect(await readdir(join(server.root, area, 'leaving'))).toEqual([])
  expect((await auditOf(place)).map(({ action }) => action)).toEqual(['purge', 'purge'])
})

test('TRASH-14 history check finds what differs, repairs it only on request, and the second time finds nothing', async () => {
  const { server, shell, deleted } = await running()
  const [lost, taken] = [await deleted('lost row.txt'), await deleted('taken out.txt')]
  expect(await shell.ok('history', 'check')).toBe('')
  const area = join(server.root, (await readdir(server.root)).find(name => name.startsWith('.filigree-')) ?? '')
  const files = await readdir(join(area, 'trash/files'))
  for (const name of files.filter(found => found.startsWith('taken')))
    await rename(join(area, 'trash/files', name), join(server.root, 'taken out.txt'))
  await writeFile(join(area, 'trash/files/stranger'), 'whose?')
  const database = new DatabaseSync(server.database)
  database.prepare('delete from kept where id = ?').run(lost)
  database.close()
  const expected = `unrecorded\t${lost}\t/lost row.txt\nunknown\t-\t/stranger\nmissing\t${taken}\t/taken out.txt\n`
  const sorted = (text: string) => text.split('\n').sort()
  for (let round = 0; round < 2; round += 1) {
    const { code, out, err } = await shell.run('history', 'check')
    expect([code, sorted(out)]).toEqual([1, sorted(expected)])
    expect(err).toBe('2 records differ from the disk. Add --repair to correct them.\n')
  }
  await shell.ok('history', 'check', '--repair')
  for (let round = 0; round < 2; round += 1) {
    expect(await shell.ok('history', 'check', '--repair')).toBe('unknown\t-\t/stranger\n')
  }
  expect(idsIn(await shell.ok('trash', 'ls', '--json'))).toEqual([lost])
  expect(await shell.ok('trash', 'restore', lost)).toBe('/lost row.txt\n')
  expect(await readFile(join(area, 'trash/files/stranger'), 'utf8')).toBe('whose?')
})

test('history rewind counts, and brings a folder back to a time', async () => {
  const { server, admin, shell, deleted } = await running()
  await mkdir(join(server.root, 'docs'))
  await admin.put('/docs/kept.txt', 'first')
  await new Promise(resolve => setTimeout(resolve, 5))
  const to = new Date().toISOString()
  await new Promise(resolve => setTimeout(resolve, 5))
  await admin.put('/docs/kept.txt', 'second', '?override=true')
  await deleted('docs/b.txt')
  const counts = await shell.ok('history', 'rewind', '/docs', '--to', to, '--dry-run')
  expect(counts.split('\n').slice(0, 3)).toEqual(['Back from the trash: 1', 'Moved back: 0', 'Former content: 1'])
  expect(await shell.ok('history', 'rewind', '/docs', '--to', to)).toMatch(/^Undone: 2 of 2\.\nChange: /)
  expect(await readFile(join(server.root, 'docs/kept.txt'), 'utf8')).toBe('first')
  expect(await readdir(join(server.root, 'docs'))).toEqual(['b.txt', 'kept.txt'])
  expect(await shell.refused('history', 'rewind', '/docs', '--to', 'yesterday')).toContain('is not a time')
})

test('history ls lists changes, and history undo and redo act on one of them', async () => {
  const place = await running()
  const { server, admin, shell } = place
  await mkdir(join(server.root, 'docs'))
  await admin.put('/docs/a.txt', 'first')
  await admin.put('/docs/a.txt', 'second', '?override=true')
  await admin.put('/b.txt', 'b')
  const [save = '', upload = ''] = idsIn(await shell.ok('history', 'ls', '--json', '--under', '/docs'))
  expect(idsIn(await shell.ok('history', 'ls', '--json', '--since', '2999-01-01'))).toEqual([])
  expect(idsIn(await shell.ok('history', 'ls', '--json', '--kind', 'delete', '--user', 'admin'))).toEqual([])
  const { out, err } = await shell.run('history', 'ls', '--limit', '1')
  expect([out.split('\n')[0], out]).toEqual([
    expect.stringMatching(/^ID +Time +User/),
    expect.stringMatching(/b\.txt\n$/),
  ])
  expect(err).toContain('There are older changes')
  expect(await shell.ok('history', 'undo', save, '--dry-run')).toBe('replace\t/docs/a.txt\tcan be undone\n')
  expect(await shell.ok('history', 'undo', save)).toMatch(/^Undone: 1 of 1\.\nChange: /)
  expect(await readFile(join(server.root, 'docs/a.txt'), 'utf8')).toBe('first')
  expect(await shell.ok('history', 'redo', save)).toMatch(/^Done again: 1 of 1\.\nChange: /)
  expect(await readFile(join(server.root, 'docs/a.txt'), 'utf8')).toBe('second')
  expect(await shell.refused('history', 'redo', upload)).toContain('This change was not undone.')
  await writeFile(join(server.root, 'docs/a.txt'), 'third, by another program')
  expect((await shell.run('history', 'undo', save)).err).toContain('/docs/a.txt: changed_since')
  expect(await readFile(join(server.root, 'docs/a.txt'), 'utf8')).toBe('third, by another program')
  const noted = (await auditOf(place)).map(({ target }) => target?.split(' ').slice(0, 2).join(' '))
  expect(noted).toEqual(['history redo', 'history undo'])
})

test('history forget removes steps, users and labels of a path, of nothing else, and says so in the audit log', async () => {
  const place = await running()
  const { server, admin, shell } = place
  const { token } = admin
  await mkdir(join(server.root, 'private'))
  await mkdir(join(server.root, 'open'))
  for (const path of ['private/a.txt', 'open/b.txt']) {
    await writeFile(join(server.root, path), 'one')
    await call(server, `/api/resources/${path}`, { method: 'PUT', token, body: 'two' })
  }
  const move = `/api/resources/private/a.txt?action=rename&destination=/open/c.txt`
  expect((await call(server, move, { method: 'PATCH', token })).status).toBe(200)
  const changes = async () => {
    const { items } = json(await call(server, '/api/changes', { token }))
    return items.map(({ kind, folder, first }: Record<string, unknown>) => ({ kind, folder, first }))
  }
  const before = await changes()
  expect(before).toHaveLength(3)

  expect(await shell.refused('history', 'forget', '/private')).toContain('--before')
  expect(await shell.ok('history', 'forget', '/private', '--before', '2020-01-01')).toContain('forgotten: 0\n')
  expect(await changes()).toEqual(before)
  const now = new Date(Date.now() + 1000).toISOString()
  expect(await shell.ok('history', 'forget', '/private', '--before', now)).toBe(
    'Recorded steps forgotten: 2\nVersions without user and name: 1\n',
  )
  expect(await changes()).toMatchObject([{ kind: 'save', folder: '/open' }])
  // The former content is still there, and so are the rows of the audit log.
  const { items } = json(await call(server, '/api/versions/open/c.txt', { token }))
  expect(items).toMatchObject([{ by: '', size: 3 }])
  const { rows } = json(await call(server, '/api/audit', { token }))
  expect(rows.some(({ path }: Record<string, string>) => path === '/private/a.txt')).toBe(true)
  const notes = (await auditOf(place)).map(({ target }) => target)
  expect(notes[0]).toBe(`history forget /private --before ${now}`)
})
