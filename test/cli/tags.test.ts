import { spawnSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manager, perm } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { EVERYTHING, PASSWORD } from '../api/people.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

const send = (server: OwnServer, { token }: Person, method: string, address: string, body: object) =>
  call(server, address, { method, token, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

async function tag(server: OwnServer, who: Person, about: object, ...paths: string[]): Promise<string> {
  const { id } = json(await send(server, who, 'POST', '/api/tags', about))
  if (paths.length > 0) await send(server, who, 'PUT', '/api/tagged', { paths, add: [id] })
  return id
}

/** The names of the tags of a user, each with the paths of its items. */
async function tagsOf(server: OwnServer, { token }: Person): Promise<Record<string, string[]>> {
  const { items } = json(await call(server, '/api/tags', { token }))
  const found = items.map(async ({ id, name }: Record<string, string>) => {
    const tagged = json(await call(server, `/api/tags/${id}/items`, { token })).items
    return [name, tagged.map(({ path }: Record<string, string>) => path).sort()]
  })
  return Object.fromEntries(await Promise.all(found))
}

test.each(['json', 'yaml', 'csv'])('tags export and import keep all tags and items in a .%s file', async ending => {
  const server = await serveOnce()
  const admin = await person(server)
  const accounts = await manager(server)
  await accounts.add('ann', { password: PASSWORD, perm: perm(...EVERYTHING), scope: '/home' })
  const shell = await openConsole(server.home)
  const tags = (...args: string[]) => shell.ok('tags', ...args, '-d', server.database)
  for (const name of ['a, b.txt', 'home/c.txt', 'home/trashed.txt']) await writeFile(join(server.root, name), name)
  const ann = await person(server, 'ann', PASSWORD)
  await tag(server, admin, { name: 'Invoices', colour: 'red', shared: true }, '/a, b.txt', '/home/c.txt')
  await tag(server, admin, { name: 'None', colour: 'grey', shared: true })
  const own = await tag(server, ann, { name: '=mine', colour: 'blue' }, '/c.txt', '/trashed.txt')
  await ann.remove('/trashed.txt')
  const file = join(server.home, `tags.${ending}`)
  expect(await tags('export', file)).toBe('3 tags exported\n')
  expect(await readFile(file, 'utf8')).not.toContain('trashed')

  const shared = json(await call(server, '/api/tags', { token: admin.token })).items
  for (const { id } of shared) await send(server, admin, 'DELETE', `/api/tags/${id}`, {})
  await send(server, ann, 'DELETE', `/api/tags/${own}`, {})
  expect(await tagsOf(server, admin)).toEqual({})
  expect(await tags('import', file)).toBe('Items tagged: 3\n')
  expect(await tagsOf(server, admin)).toEqual({ Invoices: ['/a, b.txt', '/home/c.txt'], None: [] })
  expect(await tagsOf(server, ann)).toMatchObject({ '=mine': ['/c.txt'] })
  expect(await tags('import', file)).toBe('Items tagged: 3\n')
  expect(Object.keys(await tagsOf(server, admin))).toEqual(['Invoices', 'None'])

  await rename(join(server.root, 'a, b.txt'), join(server.root, 'away.txt'))
  const { code, err } = await shell.run('tags', 'import', file, '-d', server.database)
  expect([code, err]).toEqual([1, expect.stringContaining('/a, b.txt: not_found')])
  await rm(file)
})

test('tags import refuses a file that is none, or names a user who is missing, and changes nothing', async () => {
  const server = await serveOnce()
  const admin = await person(server)
  const shell = await openConsole(server.home)
  const file = join(server.home, 'tags.json')
  const refused = async (content: unknown) => {
    await writeFile(file, JSON.stringify(content))
    return shell.refused('tags', 'import', file, '-d', server.database)
  }
  const fine = { name: 'Fine', colour: 'red', items: [] }
  expect(await refused([fine, { ...fine, user: 'nobody' }])).toContain('There is no user')
  expect(await refused([{ ...fine, colour: 'mauve' }])).toContain('colour')
  expect(await tagsOf(server, admin)).toEqual({})
})

const canAttribute = spawnSync('getfattr', ['--version']).status === 0

test.runIf(canAttribute)(
  'J14: shared tags are read by getfattr, and those of setfattr become shared tags',
  async () => {
    const server = await serveOnce()
    const admin = await person(server)
    const shell = await openConsole(server.home)
    const tags = (...args: string[]) => shell.ok('tags', ...args, '-d', server.database)
    const disk = (name: string) => join(server.root, name)
    const attribute = (name: string) =>
      spawnSync('getfattr', ['--only-values', '-n', 'user.xdg.tags', disk(name)]).stdout.toString()
    await mkdir(disk('folder'))
    for (const name of ['a.txt', 'Büro.txt', 'folder/c.txt']) await writeFile(disk(name), name)
    await tag(server, admin, { name: 'Invoices', colour: 'red', shared: true }, '/a.txt', '/folder')
    await tag(server, admin, { name: 'Köln', colour: 'blue', shared: true }, '/a.txt', '/Büro.txt')
    await tag(server, admin, { name: 'mine', colour: 'blue' }, '/a.txt')
    spawnSync('setfattr', ['-n', 'user.xdg.tags', '-v', 'from outside, Invoices', disk('Büro.txt')])
    spawnSync('setfattr', ['-n', 'user.xdg.tags', '-v', 'from outside', disk('folder/c.txt')])

    expect(await tags('to-attributes')).toBe('Items written: 3\n')
    expect(['a.txt', 'folder', 'Büro.txt', 'folder/c.txt'].map(attribute)).toEqual([
      'Invoices,Köln',
      'Invoices',
      'from outside,Invoices,Köln',
      'from outside',
    ])
    expect(await tags('from-attributes')).toBe('Items tagged: 7\n')
    expect(await tagsOf(server, admin)).toEqual({
      'from outside': ['/Büro.txt', '/folder/c.txt'],
      Invoices: ['/Büro.txt', '/a.txt', '/folder'],
      Köln: ['/Büro.txt', '/a.txt'],
      mine: ['/a.txt'],
    })
  },
)
