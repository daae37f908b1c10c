import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { boltOf } from '../../server/cli/import-filebrowser/test-bolt.ts'
import { call, json, login, signIn } from '../api/client.ts'
import { load, viewShare, withPassword } from '../api/links-client.ts'
import { type Console, openConsole, serveOnce } from './console.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/filebrowser/', import.meta.url))
const fixture = (name: string) => join(FIXTURES, name)

const RELEASES = [
  {
    release: '2.22.4',
    links: { open: '58epVK8v', locked: 'Blzqa8ir', team: 'bbdYEGcT', file: '_zxzMb7j', docs: 'UmIlTBA0' },
    token:
      'KnZGbvp4PnZwhjq9lvziOHK9Bu8dHuYojJRPwXeTmV26DFyJdolLSaCP1FvACgQa5BAvNRR0f8cA2daIe_hgfrnoKvQeao8S6mzGzxI9Vacn5iKfhRcIlsO27mOw1B3n',
  },
  {
    release: '2.63.23',
    links: { open: 'ZHDOjfWa', locked: 'BAC4SrEl', team: 'eXWOtlsz', file: 'shOoClX3', docs: 'nCYtV3mt' },
    token: undefined,
  },
] as const

const PEOPLE = [
  ['admin', 'correct horse battery'],
  ['alice', 'alice-has-a-long-pass'],
  ['bob', 'bob-has-a-long-pass-too'],
  ['zoë@example.org', 'Grüße aus Zürich 2026'],
] as const

/** The files that the fixtures' servers served. */
async function fill(root: string): Promise<void> {
  for (const [path, text] of [
    ['alice/docs/one.txt', 'hello from alice'],
    ['bob/b.txt', 'b'],
    ['teams/blue/plan.txt', 'plan'],
    ['public/readme.md', 'read me'],
  ] as const) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

/** A console next to a folder `srv` as the fixtures had it. */
async function place(): Promise<Console> {
  const shell = await openConsole()
  await fill(join(shell.home, 'srv'))
  return shell
}

const reportOf = async (shell: Console, ...args: string[]) => JSON.parse(await shell.ok('adopt', ...args, '--json'))
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

describe.each(RELEASES)('the database of File Browser $release', ({ release, links, token }) => {
  test('is imported: users sign in with their passwords, share links open by their old URLs', async () => {
    const database = fixture(`${release}/filebrowser.db`)
    const before = digest(database)
    const server = await serveOnce({
      prepare: async ({ root, home, database: own }) => {
        await fill(root)
        await (await openConsole(home)).ok('adopt', database, '--root', root, '--database', own)
      },
    })
    expect(digest(database)).toBe(before)
    expect(server.output()).not.toContain('Password:')

    for (const [name, password] of PEOPLE) {
      expect([name, (await login(server, name, password)).status]).toEqual([name, 200])
      expect([name, (await login(server, name, `${password}!`)).status]).toEqual([name, 403])
    }
    const admin = await signIn(server, 'admin', 'correct horse battery')
    const people = json(await call(server, '/api/users', { token: admin }))
    expect(people.map(({ id, username }: { id: number; username: string }) => [id, username])).toEqual(
      PEOPLE.map(([name], index) => [index + 1, name]),
    )
    const rule = { regex: false, allow: false, path: '/docs/private', regexp: null }
    const preferences = { locale: 'de', viewMode: 'mosaic', singleClick: true, hideDotfiles: true, dateFormat: true }
    expect(people[1]).toMatchObject({ scope: '/alice', commands: ['git', 'ls'], rules: [rule], ...preferences })
    expect(people[2]).toMatchObject({ lockPassword: true, sorting: { by: 'modified', asc: true } })
    const settings = json(await call(server, '/api/settings', { token: admin }))
    expect(settings).toMatchObject({ signup: true, branding: { name: 'Harbour Files', disableExternal: true } })
    expect(settings.rules).toHaveLength(3)
    expect(settings.commands.before_delete).toEqual(['test -n "$FILE"'])

    // An existing script: a token from the log-in, sent in X-Auth.
    const alice = await signIn(server, 'alice', 'alice-has-a-long-pass')
    expect((await call(server, '/api/raw/docs/one.txt', { token: alice })).text).toBe('hello from alice')

    expect((await call(server, `/share/${links.open}`)).status).toBe(200)
    expect(json(await viewShare(server, links.open)).items.map(({ name }: { name: string }) => name)).toEqual([
      'readme.md',
    ])
    expect((await load(server, links.open, '/readme.md')).text).toBe('read me')
    expect((await load(server, links.file)).text).toBe('hello from alice')
    expect((await load(server, links.team, '/plan.txt')).text).toBe('plan')
    expect((await viewShare(server, links.locked)).status).toBe(401)
    expect((await viewShare(server, links.locked, '', '?token=')).status).toBe(401)
    expect((await load(server, links.locked, '', '', withPassword('open sesame'))).text).toBe('read me')
    expect((await load(server, links.docs, '/one.txt', '', withPassword('pw for docs'))).text).toBe('hello from alice')
    if (token !== undefined) expect((await load(server, links.locked, '', `?token=${token}`)).text).toBe('read me')
    const own = json(await call(server, '/api/shares', { token: alice }))
    expect(own).toContainEqual(
      expect.objectContaining({ hash: links.docs, path: '/docs/', expire: expect.any(Number) }),
    )
  })
})

describe('adopt', () => {
  const database = fixture('2.63.23/filebrowser.db')

  test('reports with --dry-run what would be imported, and writes nothing', async () => {
    const shell = await place()
    const printed = await shell.ok('adopt', database, '--root', 'srv', '--dry-run')
    expect(printed).toContain('4 new')
    expect(printed).toContain('link nCYtV3mt: to /docs of alice, with its password')
    expect(printed).toContain('all users sign in again')
    expect(await readdir(shell.home)).toEqual(['srv'])
    await shell.ok('config', 'init')
    const before = digest(join(shell.home, 'filigree.db'))
    await shell.ok('adopt', database, '--root', 'srv', '--dry-run')
    expect(digest(join(shell.home, 'filigree.db'))).toBe(before)
  })

  test('may be run again: entries changed or deleted here stay, and are reported, unless --overwrite', async () => {
    const shell = await place()
    await shell.ok('adopt', database, '--root', 'srv')
    await shell.ok('users', 'update', 'alice', '--viewMode', 'list')
    await shell.ok('users', 'rm', 'bob')
    await shell.ok('config', 'set', '--branding.name', 'Quay')

    const again = await reportOf(shell, database)
    expect(again).toMatchObject({
      settings: { changed: 0, kept: 1 },
      users: { added: 0, changed: 0, same: 2, kept: 2 },
      links: { added: 0, same: 5 },
    })
    const kept = again.notes.filter(({ section }: { section: string }) => section === 'kept')
    expect(kept.map(({ about }: { about: string }) => about)).toEqual([
      'settings.branding.name',
      'user alice',
      'user bob',
    ])

    const over = await reportOf(shell, database, '--overwrite')
    expect(over).toMatchObject({ settings: { changed: 1 }, users: { added: 1, changed: 1 } })
    expect(await shell.ok('config', 'cat')).toContain('"Harbour Files"')
  })

  test('leaves existing users alone, and gives new ones unused ids', async () => {
    const shell = await place()
    await shell.ok('config', 'init')
    await shell.ok('users', 'add', 'carol', 'a long one of hers', '--perm.admin')
    await shell.ok('users', 'add', 'alice', 'a long one of hers', '--scope', '/other')
    const report = await reportOf(shell, database, '--root', 'srv')
    expect(report).toMatchObject({ users: { added: 3, kept: 1 }, links: { added: 3 } })
    expect(report.notes).toContainEqual(
      expect.objectContaining({ about: 'link nCYtV3mt', text: 'alice has another scope here' }),
    )
    const table = await shell.ok('users', 'ls')
    expect(table).toMatch(/^1 +carol /m)
    expect(table).toMatch(/^2 +alice +\/other /m)
    expect(table).toMatch(/^3 +bob /m)
    expect(table).toMatch(/^4 +zoë@example.org /m)
    expect(table).toMatch(/^5 +admin /m)
  })

  test('accepts exported files, and reports that they have no links', async () => {
    const shell = await place()
    const yaml = ['2.63.23/config.yaml', '2.63.23/users.yaml'].map(fixture)
    const report = await reportOf(shell, ...yaml, '--root', 'srv')
    expect(report).toMatchObject({ users: { added: 4 }, links: { added: 0 } })
    expect(report.notes).toContainEqual(expect.objectContaining({ section: 'cannot', about: 'links' }))
    const from = ['2.22.4/users.json', '2.22.4/config.json'].map(fixture)
    expect(await reportOf(shell, ...from, '-d', 'other.db', '--root', 'srv')).toMatchObject({ users: { added: 4 } })
  })

  test('finds the folder in the old settings file, and places its own database next to the one named there', async () => {
    const shell = await place()
    await copyFile(database, join(shell.home, 'filebrowser.db'))
    await chmod(join(shell.home, 'filebrowser.db'), 0o400)
    const settings = { port: 80, root: join(shell.home, 'srv'), database: join(shell.home, 'filebrowser.db') }
    await writeFile(join(shell.home, 'settings.json'), JSON.stringify(settings))
    const printed = await shell.ok('adopt', 'filebrowser.db', '--config', 'settings.json')
    expect(printed).toContain(`filigree --database ${join(shell.home, 'filigree.db')} --root ${settings.root}`)
    expect(existsSync(join(shell.home, 'filigree.db'))).toBe(true)
    expect(digest(join(shell.home, 'filebrowser.db'))).toBe(digest(database))
    expect(await shell.refused('users', 'ls', '-d', 'filebrowser.db')).toContain('filigree adopt')
  })

  test('requires a folder that exists on this host, and creates nothing', async () => {
    const shell = await openConsole()
    expect(await shell.refused('adopt', database, '--root', 'nowhere')).toContain('Name it: --root')
    await writeFile(join(shell.home, 'cut.db'), (await readFile(database)).subarray(0, 30_000))
    expect(await shell.refused('adopt', 'cut.db', '--root', 'srv')).toContain('corrupt')
    expect(await shell.refused('adopt', database, fixture('2.22.4/users.json'))).toContain('one database')
    expect((await readdir(shell.home)).sort()).toEqual(['cut.db', 'srv'])
  })
})

test('a database of the first releases of version 2 is imported with the data it has', async () => {
  const shell = await place()
  const password = (await shell.ok('hash', 'a password of old')).trim()
  const perm = { admin: false, execute: true, create: true, rename: true, modify: true, delete: true }
  const person = { locale: 'en', lockPassword: false, password, commands: null, rules: null }
  const preferences = { viewMode: 'mosaic', sorting: { by: '', asc: false } }
  const settings = {
    key: 'AAAA',
    scope: join(shell.home, 'srv'),
    baseURL: '/files',
    signup: false,
    authMethod: 'json',
    defaults: { scope: '.', locale: 'en', viewMode: 'mosaic', commands: null, perm },
    branding: { name: 'Old Quay', disableExternal: false, files: '' },
    commands: null,
    shell: null,
    rules: null,
  }
  const bytes = boltOf({
    User: {
      one: {
        id: 1,
        username: 'admin',
        scope: '.',
        ...person,
        ...preferences,
        perm: { ...perm, admin: true, share: true, download: true },
      },
      two: {
        id: 2,
        username: 'alice',
        scope: './alice',
        ...person,
        ...preferences,
        perm: { ...perm, share: true, download: true },
      },
    },
    Link: { '"nCYtV3mt"': { hash: 'nCYtV3mt', path: '/docs/', userID: 2, expire: 0 } },
    config: { '"settings"': settings, '"auther"': { recaptcha: null }, '"version"': 2 },
  })
  await writeFile(join(shell.home, 'old.db'), bytes)
  const { notes, ...report } = await reportOf(shell, 'old.db')
  expect(notes.filter(({ section }: { section: string }) => section === 'cannot')).toEqual([])
  expect(report).toMatchObject({ root: settings.scope, users: { added: 2 }, links: { added: 1 } })
  const printed = await shell.ok('config', 'cat')
  for (const line of ['server.baseURL: "/files"', 'settings.branding.name: "Old Quay"']) expect(printed).toContain(line)
  const where = { home: shell.home, root: settings.scope, database: join(shell.home, 'filigree.db') }
  const server = await serveOnce(where)
  for (const name of ['admin', 'alice']) expect((await login(server, name, 'a password of old')).status).toBe(200)
  expect((await load(server, 'nCYtV3mt', '/one.txt')).text).toBe('hello from alice')
})

describe('a hostile or odd database', () => {
  const HASH = '$2a$10$wyFIok8ebcf14Gi6xwr38eBB1vsXInpmNDFz.adR7KHyRRs0YicXO'
  const right = { create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const user = (id: number, username: string, more: object = {}) => ({
    [`user${id}`]: { id, username, password: HASH, scope: '/', perm: right, ...more },
  })

  test('DB-09 is imported with its oddities repaired or left out, each reported, and nothing exposed', async () => {
    const shell = await place()
    await mkdir(join(shell.home, 'srv', 'uploads'))
    await symlink('/etc', join(shell.home, 'srv', 'out'))
    const bytes = boltOf({
      User: {
        ...user(1, 'root', { perm: { ...right, admin: true } }),
        ...user(2, 'climber', { scope: '../../etc' }),
        ...user(3, 'slow', { password: HASH.replace('$10$', '$31$') }),
        ...user(4, 'Root', { viewMode: 'tiles', sorting: { by: 'colour' } }),
        ...user(5, 'broken', { rules: [{ regex: true, allow: true, regexp: { raw: '(' } }] }),
        ...user(6, 'linked', { scope: '/out' }),
        ...user(-7, 'negative'),
        ...user(8, 'root'),
      },
      Link: {
        a: { hash: 'gone', path: '/nothing/', userID: 1, expire: 0 },
        b: { hash: 'ended', path: '/public/', userID: 1, expire: -5 },
        c: { hash: 'nobody', path: '/public/', userID: 77, expire: 0 },
        d: { hash: 'locked', path: '/public/', userID: 1, expire: 0, password_hash: HASH, token: '' },
        e: { hash: 'plain', path: '/public/', userID: 1, expire: 0, password_hash: 'secret' },
        f: { hash: '../x', path: '/public/', userID: 1, expire: 0 },
        g: { hash: 'climb', path: '/../../public/../bob/', userID: 1, expire: 0 },
        h: { hash: 'hidden', path: '/secret/', userID: 1, expire: 0 },
      },
      config: {
        settings: {
          authMethod: 'magic',
          shell: ['sh', '-c'],
          commands: { after_upload: ['rm -rf $FILE'], after_moon: ['x'] },
          rules: [{ path: '/secret' }, { path: '/up' }],
          branding: { theme: 'neon', color: 'tomato' },
        },
        server: { root: '/srv', enableExec: true, port: 'eighty' },
        auther: {},
        version: 2,
      },
    })
    await mkdir(join(shell.home, 'srv', 'secret'))
    await writeFile(join(shell.home, 'odd.db'), bytes)
    const { notes, ...report } = await reportOf(shell, 'odd.db', '--root', 'srv')
    const about = (name: string) =>
      notes
        .filter((note: { about: string }) => note.about === name)
        .map(({ section, text }: { section: string; text: string }) => `${section}: ${text}`)
        .join('\n')
    expect(report).toMatchObject({ users: { added: 6 }, links: { added: 2 } })
    expect(about('user climber')).toContain('becomes /etc')
    expect(about('user slow')).toContain('todo: has no password')
    expect(about('user Root')).toContain('"tiles"')
    expect(about('user broken')).toContain('everything is denied')
    expect(about('user linked')).toContain('symbolic link')
    expect(about('user negative')).toContain('cannot: the id')
    expect(about('user root')).toContain('cannot: the id or name is not unique')
    expect(about('link gone')).toContain('it does not exist')
    expect(about('links')).toContain('1 already expired')
    expect(about('link nobody')).toContain('owner')
    expect(about('link plain')).toContain('cannot be verified')
    expect(about('link hidden')).toContain('a rule')
    expect(about('signing in')).toContain('"magic"')
    expect(about('server')).toContain('commands and hooks stay off')
    expect(about('server')).toContain('port')
    expect(about('settings')).toContain('after_moon')
    expect(about('settings')).toContain('tomato')
    expect(about('global rules, in /')).toContain('no longer matches /uploads')
    const settings = await shell.ok('config', 'cat')
    expect(settings).toContain('auth.method: "json"')
    expect(settings).toContain('server.enableExec: false')
    expect(await shell.ok('rules', 'ls', '--username', 'broken')).toContain('Disallow Path')
    expect((await stat(join(shell.home, 'filigree.db'))).mode & 0o777).toBe(0o600)
  })

  test('DB-09 is refused when it has no settings, or records of another kind', async () => {
    const shell = await place()
    for (const [bytes, words] of [
      [boltOf({ User: user(1, 'a') }), 'no settings or no users'],
      [boltOf({ config: { settings: {} }, User: user(1, 'a') }, 'gob'), 'not as JSON'],
    ] as const) {
      await writeFile(join(shell.home, 'odd.db'), bytes)
      expect(await shell.refused('adopt', 'odd.db', '--root', 'srv')).toContain(words)
    }
    expect(existsSync(join(shell.home, 'filigree.db'))).toBe(false)
  })
})
