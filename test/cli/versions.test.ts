import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()
const DAY = 86_400_000

test('versions ls, restore and prune work while the server runs, and the audit log says so', async () => {
  const server = await serveOnce()
  const admin = await person(server)
  const shell = await openConsole(server.home)
  const versions = (...args: string[]) => shell.ok('versions', ...args, '-d', server.database)
  const listed = async () =>
    (await versions('ls', '/a.txt', '--json'))
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  await writeFile(join(server.root, 'a.txt'), 'one')
  for (const body of ['three', 'fifteen']) {
    const saved = await call(server, '/api/resources/a.txt', { method: 'PUT', token: admin.token, body })
    expect(saved.status).toBe(200)
  }
  const [second, first] = await listed()
  expect([second, first]).toMatchObject([
    { size: 5, by: 'admin', path: '/a.txt', pinned: false },
    { size: 3, by: 'admin' },
  ])
  expect(await versions('ls', '/a.txt')).toMatch(new RegExp(`${second.id} .* admin +5 +/a.txt\\n${first.id} `))

  expect(await versions('restore', '/a.txt', first.id, '--copy')).toBe('/a(1).txt\n')
  expect(await versions('restore', '/a.txt', first.id)).toBe('/a.txt\n')
  const contents = await Promise.all(['a.txt', 'a(1).txt'].map(name => readFile(join(server.root, name), 'utf8')))
  expect(contents).toEqual(['one', 'one'])
  expect(await listed()).toHaveLength(3)

  const database = new DatabaseSync(server.database)
  database.prepare('update kept set at = at - ? where id in (?, ?)').run(400 * DAY, first.id, second.id)
  database.close()
  const old = [first.id, second.id].map(id => `${id}\t/a.txt`).sort()
  const linesOf = (text: string) => text.split('\n').filter(Boolean).sort()
  expect(linesOf(await versions('prune', '--dry-run'))).toEqual(old)
  expect(await listed()).toHaveLength(3)
  expect(linesOf(await versions('prune'))).toEqual(old)
  expect(await listed()).toHaveLength(1)

  const { rows } = json(await call(server, '/api/audit', { token: admin.token }))
  const own = rows.filter(({ way }: { way: string }) => way === 'console')
  expect(own.map(({ action, path, target }: Record<string, string>) => [action, path, target])).toEqual([
    ['version.expire', '/a.txt', ''],
    ['version.expire', '/a.txt', ''],
    ['version.restore', '/a.txt', ''],
    ['version.restore', '/a.txt', '/a(1).txt'],
  ])
})
