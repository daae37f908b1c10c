import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager, send } from '../api/accounts.ts'
import { call, person } from '../api/client.ts'
import { linkTo, viewShare } from '../api/links-client.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

async function fresh(): Promise<Console> {
  const shell = await openConsole()
  await shell.ok('config', 'init')
  return shell
}

describe('rules', () => {
  test('apply to the next request', async () => {
    const server = await serveOnce()
    await mkdir(join(server.root, 'secret'))
    await writeFile(join(server.root, 'old.bak'), 'x')
    const shell = await openConsole(server.home)
    const admin = await person(server)
    expect((await admin.get('/secret/')).status).toBe(200)
    await shell.ok('rules', 'add', '/secret', '-d', server.database)
    await shell.ok('rules', 'add', '--regex', '\\.bak$', '--id', '1', '-d', server.database)
    expect((await admin.get('/secret/')).status).toBe(403)
    expect((await admin.get('/old.bak')).status).toBe(403)
    await shell.ok('rules', 'rm', '0', '-d', server.database)
    expect((await admin.get('/secret/')).status).toBe(200)
  })

  test('are listed in order and deleted one by one or as a range', async () => {
    const shell = await fresh()
    for (const path of ['/a', '/b', '/c', '/d']) await shell.ok('rules', 'add', path)
    expect(await shell.ok('rules', 'add', '-a', '-r', '^/b$')).toContain('(4) Allow Regex: \t^/b$\n')
    await shell.ok('rules', 'rm', '1', '2', '--index', '1')
    expect(await shell.ok('rules', 'ls')).toBe(
      '(0) Disallow Path: \t/a\n(1) Disallow Path: \t/d\n(2) Allow Regex: \t^/b$\n',
    )
  })

  test('that are invalid are refused', async () => {
    const shell = await fresh()
    expect(await shell.refused('rules', 'add', '-r', '(')).toContain('not a valid expression')
    expect(await shell.refused('rules', 'add', 'secret')).toContain('/secret')
    expect(await shell.refused('rules', 'rm', '0')).toContain('empty')
    expect(await shell.refused('rules', 'ls', '-u', 'eve')).toBe("There is no user 'eve'.")
    expect(await shell.ok('rules', 'ls')).toBe('')
  })
})

describe('the policy of links', () => {
  test('is shown and changed while the server runs, and refuses what it does not know', async () => {
    const server = await serveOnce()
    const admin = await manager(server)
    await writeFile(join(server.root, 'a.txt'), 'x')
    const shell = await openConsole(server.home)
    const policy = (...flags: string[]) => shell.ok('links', 'policy', ...flags, '-d', server.database)
    const share = async () => (await send(server, 'POST', '/api/share/a.txt', admin.token, {})).status
    expect(await policy()).toBe('kinds: view,edit,drop\npassword: optional\ndays: 0\nnames: locked\n')
    expect(await share()).toBe(200)
    await policy('--password', 'required', '--days', '30')
    expect(await share()).toBe(400)
    expect(await policy('--kinds', 'view', '--password', 'optional', '--days', '0', '--names', 'open')).toBe(
      'kinds: view\npassword: optional\ndays: 0\nnames: open\n',
    )
    expect(await share()).toBe(200)
    expect(await policy('--kinds', 'none')).toContain('kinds: none\n')
    for (const wrong of [
      ['--kinds', 'all'],
      ['--days', '-1'],
      ['--password', 'yes'],
      ['--names', 'some'],
    ])
      expect(await shell.refused('links', 'policy', ...wrong, '-d', server.database)).toContain(wrong[0])
  })
})

describe('cmds', () => {
  test('are listed by event and removed by index', async () => {
    const shell = await fresh()
    await shell.ok('cmds', 'add', 'after_upload', 'logger', '$FILE')
    await shell.ok('cmds', 'add', 'before_upload', '--', 'test', '-n', '$FILE')
    await shell.ok('cmds', 'add', 'after_save', 'true')
    expect(await shell.ok('cmds', 'ls', '-e', 'upload')).toBe(
      'before_upload(0): test -n $FILE\nafter_upload(0): logger $FILE\n',
    )
    expect(await shell.ok('cmds', 'ls', '-e', 'after_save')).toBe('after_save(0): true\n')
    await shell.ok('cmds', 'rm', 'after_upload', '0')
    expect(await shell.ok('cmds', 'ls', '-e', 'after_upload')).toBe('')
  })

  test('of events that do not exist are refused', async () => {
    const shell = await fresh()
    expect(await shell.refused('cmds', 'add', 'after_lunch', 'nap')).toContain('after_upload')
    expect(await shell.refused('cmds', 'rm', 'after_save', '0')).toContain('empty')
  })

  test('apply to a running server', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    await shell.ok('cmds', 'add', 'after_upload', 'true', '-d', server.database)
    const { token } = await person(server)
    expect((await call(server, '/api/settings', { token })).text).toContain('"after_upload":["true"]')
  })
})

describe('help', () => {
  test.each([
    [['help'], 'users'],
    [['--help'], '--baseURL'],
    [['help', 'users'], 'users add <username> <password>'],
    [['help', 'users', 'add'], '--lockPassword'],
    [['users', 'add', '-h'], '--lockPassword'],
    [['config'], 'config export <file>'],
    [['version'], 'Filigree v'],
  ])('%j lists', async (args, words) => {
    const shell = await openConsole()
    expect(await shell.ok(...args)).toContain(words)
  })

  test('is suggested for an unknown command', async () => {
    const shell = await openConsole()
    expect(await shell.refused('constructor')).toContain('filigree help')
    expect(await shell.refused('users', 'toString')).toContain('add, ls, find')
    expect(await shell.refused('hash')).toContain('hash <password>')
    expect(await shell.refused('hash', 'x'.repeat(73))).toContain('72 bytes')
  })
})

describe('links', () => {
  test('are listed with filters, paused, resumed, handed over and ended', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const on = ['-d', server.database]
    const { token } = await manager(server)
    await mkdir(join(server.root, 'linked'))
    const { hash } = await linkTo(server, token, '/linked/', { kind: 'drop' })
    const locked = await linkTo(server, token, '/linked/', { password: 'copper' })
    const list = async (...flags: string[]) =>
      (await shell.ok('links', 'ls', '--json', ...flags, ...on))
        .split('\n')
        .flatMap(line => (line ? [JSON.parse(line)] : []))
    expect(await list('--without-password')).toEqual([
      {
        ...{ hash, owner: 'admin', path: '/linked/', kind: 'drop', state: 'open', ends: null },
        ...{ password: false, opened: 0, last: null },
      },
    ])
    const shared = await linkTo(server, token, '/linked/', { kind: 'edit', rights: ['create'], password: 'copper' })
    expect(await list('--kind', 'edit')).toMatchObject([{ hash: shared.hash, kind: 'edit' }])
    await shell.ok('links', 'rm', ...on, '--', shared.hash)
    expect(await list('--kind', 'view', '--user', 'admin')).toMatchObject([{ hash: locked.hash, password: true }])
    expect(await shell.refused('links', 'pause', '-d', server.database, '--', hash, 'no-such-link')).toContain(
      'links ls',
    )
    expect(await list('--paused')).toEqual([])
    await shell.ok('links', 'pause', ...on, '--', hash)
    expect(await list('--paused')).toMatchObject([{ hash, state: 'paused' }])
    expect((await viewShare(server, hash)).status).toBe(403)
    await shell.ok('links', 'resume', ...on, '--', hash)
    expect((await viewShare(server, hash)).status).toBe(200)
    await (await manager(server)).add('heir')
    expect(await shell.refused('users', 'handover', 'admin', 'admin', ...on)).toContain('another user')
    await shell.ok('users', 'update', 'heir', '--perm.share', ...on)
    expect(await shell.ok('users', 'handover', 'admin', 'heir', ...on)).toContain('handed over')
    expect(await list('--user', 'heir')).toMatchObject([{ state: 'open' }, { state: 'open' }])
    expect(await list('--shut')).toEqual([])
    await shell.ok('users', 'update', 'heir', '--perm.share=false', ...on)
    expect(await list('--shut')).toMatchObject([{ state: 'shut' }, { state: 'shut' }])
    await shell.ok('links', 'rm', ...on, '--', hash, locked.hash)
    expect(await list()).toEqual([])
  })
})

describe('grants', () => {
  test('are listed with their owners and recipients, and ended', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    const on = ['-d', server.database]
    const admin = await manager(server)
    await mkdir(join(server.root, 'granted'))
    const bob = await admin.add('bob')
    const to = { kind: 'user', id: String(bob) }
    const made = await send(server, 'POST', '/api/grants', admin.token, {
      ...{ path: '/granted', to, rights: ['download'], note: 'for the weekend' },
    })
    expect(made.status).toBe(201)
    const { id } = JSON.parse(made.text)
    expect(JSON.parse(await shell.ok('grants', 'ls', '--user', 'admin', '--json', ...on))).toEqual({
      ...{ id, owner: 'admin', path: '/granted', to: 'user:bob', rights: ['download'] },
      ...{ ends: null, by: null, note: 'for the weekend' },
    })
    expect(await shell.ok('grants', 'ls', '--user', 'bob', '--json', ...on)).toBe('')
    await shell.ok('grants', 'rm', id, ...on)
    expect(await shell.ok('grants', 'ls', ...on)).not.toContain(id)
  })
})
