import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, json, login, signIn } from '../api/client.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

const GOOD = 'violet harbour 41'
const OTHER = 'amber lighthouse 17'
const BCRYPT = '$2a$10$ULtYp/t5qnz0RI9EIQuAvOXAzdF1EDXmRUf44LLGh.bR2D5V7IaTu'

async function withAdmin(): Promise<Console> {
  const shell = await openConsole()
  await shell.ok('config', 'init', '--root', join(shell.home, 'srv'))
  await shell.ok('users', 'add', 'ann', GOOD, '--perm.admin')
  return shell
}

const exported = async (shell: Console, name = 'out.json') => {
  await shell.ok('users', 'export', name)
  return JSON.parse(await readFile(join(shell.home, name), 'utf8'))
}

const importing = async (shell: Console, users: unknown, ...flags: string[]) => {
  await writeFile(join(shell.home, 'in.json'), JSON.stringify(users))
  return shell.run('users', 'import', 'in.json', ...flags)
}

const person = (id: number, username: string, more: object = {}) => ({
  id,
  username,
  password: BCRYPT,
  scope: '/',
  perm: { admin: false },
  ...more,
})

test('flags of a command may precede its name, or be between its words', async () => {
  const shell = await openConsole()
  await shell.ok('--database=elsewhere.db', 'config', 'init', '--root', join(shell.home, 'srv'))
  await shell.ok('-d', 'elsewhere.db', 'users', 'add', 'ann', GOOD)
  expect(await shell.ok('users', '-d', 'elsewhere.db', 'ls')).toContain('ann')
  expect(await shell.ok('-delsewhere.db', 'users', 'ls')).toContain('ann')
})

describe('while the server runs', () => {
  test('a user whose account is disabled is signed out with the next request, until it is enabled', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const db = ['-d', server.database]
    await shell.ok('users', 'add', 'ann', GOOD, ...db)
    const token = await signIn(server, 'ann', GOOD)
    await shell.ok('users', 'update', 'ann', '--disabled', ...db)
    expect((await call(server, '/api/resources/', { token })).status).toBe(401)
    expect((await login(server, 'ann', GOOD)).status).toBe(403)
    expect(await shell.ok('users', 'update', 'ann', '--disabled=false', ...db)).toMatch(/false\s*$/)
    expect((await login(server, 'ann', GOOD)).status).toBe(200)
    expect(await shell.refused('users', 'update', 'admin', '--disabled', ...db)).toContain('only administrator')
  })

  test('a new user can sign in at once, in a home that was created', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const table = await shell.ok('users', 'add', 'zoë', GOOD, '--scope', '/people/zoë', '-d', server.database)
    expect(table).toContain('/people/zoë')
    expect(existsSync(join(server.root, 'people/zoë'))).toBe(true)
    expect((await login(server, 'zoë', GOOD)).status).toBe(200)
  })

  test('a new password ends the sessions of the user, a deletion too', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const db = ['-d', server.database]
    await shell.ok('users', 'add', 'bob', GOOD, ...db)
    const first = await signIn(server, 'bob', GOOD)
    await shell.ok('users', 'update', 'bob', '-p', OTHER, ...db)
    expect((await call(server, '/api/resources/', { token: first })).status).toBe(401)
    expect((await login(server, 'bob', GOOD)).status).toBe(403)
    const second = await signIn(server, 'bob', OTHER)
    expect(await shell.ok('users', 'rm', 'bob', ...db)).toBe('user deleted successfully\n')
    expect((await call(server, '/api/resources/', { token: second })).status).toBe(401)
  })

  test('a permission that is revoked is refused at the next request', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const db = ['-d', server.database]
    await shell.ok('users', 'add', 'bob', GOOD, ...db)
    const token = await signIn(server, 'bob', GOOD)
    const make = (name: string) => call(server, `/api/resources/${name}/`, { method: 'POST', token })
    expect((await make('one')).status).toBe(200)
    await shell.ok('users', 'update', '2', '--perm.create=false', ...db)
    expect((await make('two')).status).toBe(403)
  })
})

describe('users add', () => {
  test('applies the password policy and adds no user otherwise', async () => {
    const shell = await withAdmin()
    expect(await shell.refused('users', 'add', 'bob', 'short')).toContain('too short')
    expect(await shell.refused('users', 'add', '../bob', GOOD)).toContain('username cannot be used')
    expect(await shell.refused('users', 'add', 'ann', GOOD)).toBe("The user 'ann' already exists.")
    expect(await exported(shell)).toHaveLength(1)
  })

  test('creates homes where the settings require it', async () => {
    const shell = await withAdmin()
    await shell.ok('config', 'set', '--createUserDir', '--userHomeBasePath', '/homes')
    expect(await shell.ok('users', 'add', 'bob', GOOD)).toContain('/homes/bob')
    expect((await stat(join(shell.home, 'srv/homes/bob'))).isDirectory()).toBe(true)
  })

  test('applies the defaults of the settings, overridden by flags', async () => {
    const shell = await withAdmin()
    await shell.ok('config', 'set', '--locale', 'de', '--perm.delete=false', '--viewMode', 'mosaic')
    await shell.ok('users', 'add', 'bob', GOOD, '--viewMode=list', '--commands', 'git, ls', '--lockPassword')
    expect((await exported(shell))[1]).toMatchObject({
      locale: 'de',
      viewMode: 'list',
      commands: ['git', 'ls'],
      lockPassword: true,
      perm: { delete: false, create: true },
    })
  })

  test('refuses invalid values', async () => {
    const shell = await withAdmin()
    expect(await shell.refused('users', 'add', 'bob', GOOD, '--viewMode', 'cinema')).toContain('viewMode')
    expect(await shell.refused('users', 'add', 'bob', GOOD, '--scope', '/../x')).toContain('scope')
    expect(await shell.refused('users', 'add', 'bob', GOOD, '--perm.admin=perhaps')).toContain('true or false')
    expect(await shell.refused('users', 'add', 'bob')).toContain('users add <username> <password>')
  })
})

describe('users update', () => {
  test('changes the given fields and nothing else', async () => {
    const shell = await withAdmin()
    await shell.ok('users', 'add', 'bob', GOOD, '--lockPassword', '--dateFormat', '--hideDotfiles')
    const [, before] = await exported(shell)
    await shell.ok('users', 'update', 'bob', '-u', 'bobby', '--sorting.asc')
    const [, after] = await exported(shell)
    expect(after).toEqual({ ...before, username: 'bobby', sorting: { by: 'name', asc: true } })
  })

  test('treats a number as an id, and reports unknown names', async () => {
    const shell = await withAdmin()
    expect(await shell.ok('users', 'find', '1')).toContain('ann')
    expect(await shell.ok('users', 'ls')).toContain('ann')
    expect(await shell.refused('users', 'find', '7')).toBe("There is no user '7'.")
    expect(await shell.refused('users', 'update', 'eve', '--perm.admin')).toBe("There is no user 'eve'.")
    expect(await shell.refused('users', 'update', 'ann')).toContain('No changes given')
  })

  test('keeps one administrator', async () => {
    const shell = await withAdmin()
    expect(await shell.refused('users', 'update', 'ann', '--perm.admin=false')).toContain('only administrator')
    expect(await shell.refused('users', 'rm', 'ann')).toContain('only administrator')
    expect(await shell.ok('users', 'find', 'ann')).toContain('ann')
  })
})

describe('users import', () => {
  test('imports an export of its own, in both formats, readable for the owner only', async () => {
    const shell = await withAdmin()
    await shell.ok('users', 'add', 'bob', GOOD, '--scope', '/bob', '--hideDotfiles')
    await shell.ok('rules', 'add', '-r', '\\.bak$', '-u', 'bob')
    const before = await exported(shell, 'all.json')
    await shell.ok('users', 'export', 'all.yaml')
    expect((await stat(join(shell.home, 'all.yaml'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(shell.home, 'all.yaml'), 'utf8')).toContain('hidedotfiles: true')
    for (const file of ['all.json', 'all.yaml']) {
      await shell.ok('users', 'update', 'bob', '--hideDotfiles=false', '--scope', '/')
      await shell.ok('users', 'import', file, '--overwrite')
      expect(await exported(shell)).toEqual(before)
    }
  })

  test('assigns new ids to unknown users', async () => {
    const shell = await withAdmin()
    await importing(shell, [person(0, 'bob'), person(40, 'eve', { viewMode: 'mosaic' })])
    const users: { id: number; username: string }[] = await exported(shell)
    expect(users.map(({ id, username }) => [id, username])).toEqual([
      [1, 'ann'],
      [2, 'bob'],
      [3, 'eve'],
    ])
  })

  test.each([
    ['an id that is there', [person(0, 'bob'), person(1, 'eve')], 'id 1'],
    ['a name that is taken', [person(0, 'bob'), person(9, 'ann')], "'ann'"],
    ['a password in plain text', [person(0, 'bob'), person(0, 'eve', { password: 'plain' })], 'users/1/password'],
    ['a broken rule', [person(0, 'bob', { rules: [{ regex: true, regexp: { raw: '(' } }] })], 'users[0].rules[0]'],
    ['a field of the wrong kind', [person(0, 'bob', { singleClick: 'yes' })], 'users[0].singleClick'],
  ])('with %s imports no user', async (_what, users, words) => {
    const shell = await withAdmin()
    const { code, err } = await importing(shell, users)
    expect(code).toBe(1)
    expect(err).toContain(words)
    expect(await exported(shell)).toHaveLength(1)
  })

  test('replaces all users after storing them in a backup', async () => {
    const shell = await withAdmin()
    await shell.ok('users', 'add', 'bob', GOOD)
    const before = await exported(shell)
    const { code } = await importing(shell, [person(1, 'zed', { perm: { admin: true } })], '--replace')
    expect(code).toBe(0)
    expect((await exported(shell)).map(({ username }: { username: string }) => username)).toEqual(['zed'])
    expect(JSON.parse(await readFile(join(shell.home, 'users.backup.json'), 'utf8'))).toEqual(before)
  })

  test('keeps a home with a name that is not UTF-8, and shows it escaped', async () => {
    const shell = await withAdmin()
    await importing(shell, [person(0, 'bob', { scope: '/caf\udce9' })])
    expect(await shell.ok('users', 'ls')).toContain(' /caf\\xE9 ')
    await shell.ok('users', 'export', 'out.yaml')
    await shell.ok('users', 'import', 'out.yaml', '--replace')
    expect(await exported(shell)).toMatchObject([{ username: 'ann' }, { username: 'bob', scope: '/caf\udce9' }])
  })

  test('refuses to leave no administrator', async () => {
    const shell = await withAdmin()
    const { code, err } = await importing(shell, [person(5, 'bob')], '--replace')
    expect([code, err]).toEqual([1, expect.stringContaining('no administrator')])
    expect(await exported(shell)).toMatchObject([{ username: 'ann' }])
  })

  test('lets users sign in with their previous password', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const hash = (await shell.ok('hash', GOOD)).trim()
    expect(hash).toMatch(/^\$2a\$10\$.{53}$/)
    await writeFile(
      join(shell.home, 'in.yaml'),
      `- username: old\n  password: ${hash}\n  scope: .\n  lockpassword: true\n`,
    )
    await shell.ok('users', 'import', 'in.yaml', '-d', server.database)
    const token = await signIn(server, 'old', GOOD)
    const me = json(await call(server, '/api/users/2', { token }))
    expect(me).toMatchObject({ username: 'old', lockPassword: true })
  })
})
