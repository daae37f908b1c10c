import { existsSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { type Console, serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

const GOOD = 'violet harbour 41'

/** The document of an installation that was set up with File Browser, in its YAML form. */
const OLD_YAML = `
settings:
    key:
        - 1
        - 2
    signup: true
    createuserdir: true
    userhomebasepath: /homes
    defaults:
        scope: .
        viewmode: mosaic
        perm:
            download: true
    authmethod: proxy
    branding:
        name: Old Harbour
        disableusedpercentage: true
    commands:
        after_upload:
            - logger $FILE
    shell: []
    rules:
        - regex: true
          allow: false
          path: ""
          regexp:
            raw: (?i)\\.bak$
    minimumpasswordlength: 10
    filemode: 416
server:
    root: /old/root
    port: "9121"
    enableexec: true
    imageresolutioncal: false
auther:
    header: X-Remote-User
`

async function fresh(...flags: string[]): Promise<Console> {
  const shell = await openConsole()
  await shell.ok('config', 'init', ...flags)
  return shell
}

async function exported(shell: Console) {
  await shell.ok('config', 'export', 'out.json')
  return JSON.parse(await readFile(join(shell.home, 'out.json'), 'utf8'))
}

describe('a database that is missing', () => {
  test.each([
    ['users', 'ls'],
    ['users', 'add', 'a', GOOD],
    ['config', 'cat'],
    ['rules', 'ls'],
    ['cmds', 'ls'],
  ])('is not created by %s %s, which says how to create one', async (...args) => {
    const shell = await openConsole()
    expect(await shell.refused(...args)).toContain('filigree config init')
    expect(existsSync(join(shell.home, 'filigree.db'))).toBe(false)
  })

  test('after it was set up is reported as lost, by commands and by the server', async () => {
    const shell = await fresh()
    await rm(join(shell.home, 'filigree.db'))
    for (const args of [
      ['users', 'ls'],
      ['config', 'init'],
      ['config', 'cat'],
    ]) {
      expect(await shell.refused(...args)).toContain('was set up before')
    }
  })
})

describe('config init', () => {
  test('creates a private database with the given settings and without users', async () => {
    const shell = await fresh('--branding.name', 'Quay', '--port=9100', '--signup', '--perm.execute=false')
    expect((await stat(join(shell.home, 'filigree.db'))).mode & 0o777).toBe(0o600)
    const { settings, server } = await exported(shell)
    expect(settings).toMatchObject({ signup: true, branding: { name: 'Quay' }, defaults: { perm: { execute: false } } })
    expect(server.port).toBe('9100')
    expect((await shell.ok('users', 'ls')).trim().split('\n')).toHaveLength(1)
  })

  test('leaves an existing one alone', async () => {
    const shell = await fresh('--branding.name', 'Quay')
    expect(await shell.refused('config', 'init')).toContain('already exists')
    expect((await exported(shell)).settings.branding.name).toBe('Quay')
  })

  test('takes the database from a variable’s file and from a flag', async () => {
    const shell = await openConsole()
    await writeFile(join(shell.home, '.filigree.yaml'), 'database: from-file.db\n')
    await shell.ok('config', 'init')
    expect(existsSync(join(shell.home, 'from-file.db'))).toBe(true)
    await shell.ok('config', 'init', '-d', 'other.db')
    expect(existsSync(join(shell.home, 'other.db'))).toBe(true)
  })
})

describe('config set', () => {
  test('changes the given settings and nothing else', async () => {
    const shell = await fresh('--branding.name', 'Quay')
    const before = await exported(shell)
    const printed = await shell.ok('config', 'set', '--minimumPasswordLength', '8', '--shell', 'sh -c')
    expect(printed).toContain('settings.minimumPasswordLength: 8\n')
    const settings = { ...before.settings, minimumPasswordLength: 8, shell: ['sh', '-c'] }
    expect(await exported(shell)).toEqual({ ...before, settings })
  })

  test('applies to a running server', async () => {
    const server = await serveOnce()
    const shell = await openConsole(server.home)
    await shell.ok('config', 'set', '--branding.name', 'Quay', '--hide-login-button', '-d', server.database)
    const token = await signIn(server)
    const settings = json(await call(server, '/api/settings', { token }))
    expect(settings).toMatchObject({ branding: { name: 'Quay' }, hideLoginButton: true })
    expect((await call(server, '/')).text).toContain('Quay')
  })

  test('applies to the next server, except for settings that it sets itself', async () => {
    const server = await serveOnce({
      prepare: async ({ home, database }) => {
        const shell = await openConsole(home)
        await shell.ok('config', 'init', '-d', database, '--disableExec=false', '--baseURL', '/stored')
      },
    })
    expect(server.output()).toContain('Commands and hooks ')
    expect((await call(server, '/health')).status).toBe(200)
  })

  test('stores settings that the interface may change as well, and resets them', async () => {
    const shell = await fresh()
    const before = await exported(shell)
    await shell.ok('config', 'set', '--image-processors', '2', '--disableQueryToken', '--disableThumbnails')
    const { server } = await exported(shell)
    expect(server).toMatchObject({ enableThumbnails: false, kept: { imageProcessors: '2', disableQueryToken: 'true' } })
    const said = await shell.ok('config', 'check')
    for (const line of ['imageProcessors: 2', 'disableQueryToken: true', 'disableThumbnails: true']) {
      expect(said).toContain(`${line}, by the database\n`)
    }
    await shell.ok('config', 'set', '--imageProcessors=', '--disableQueryToken=false', '--disableThumbnails=false')
    expect(await shell.ok('config', 'check')).not.toContain('imageProcessors')
    await writeFile(join(shell.home, 'before.json'), JSON.stringify({ ...before, server: { ...server, kept: {} } }))
    expect(await shell.ok('config', 'diff', 'before.json')).toContain('enableThumbnails')
  })

  test.each([
    [['--imageProcessors', 'many'], 'image processors'],
    [['--nameIndexEvery', 'soon'], 'duration'],
    [['--port', 'http'], 'port'],
    [['--tus.chunkSize', '1MB'], 'tus.chunkSize must be a number'],
    [['--branding.theme', 'neon'], 'branding.theme'],
    [['--branding.color', 'teal'], 'branding.color'],
    [['--auth.method', 'magic'], 'auth.method'],
    [['--auth.method', 'proxy'], 'auth.header'],
    [['--auth.method', 'hook'], 'auth.command'],
    [['--userHomeBasePath', '/../x'], 'userHomeBasePath'],
    [['--socket', '/s', '--port', '1'], 'socket or port'],
    [['--fileMode', '0o9'], 'must be octal'],
    [['--dir-mode', '04755'], 'must be octal'],
    [['--nonsense', 'x'], 'nonsense'],
    [[], 'Nothing to set'],
  ])('refuses %j with a message', async (flags, words) => {
    const shell = await fresh()
    const before = await exported(shell)
    expect(await shell.refused('config', 'set', ...flags)).toContain(words)
    expect(await exported(shell)).toEqual(before)
  })

  test('accepts settings without effect with a notice', async () => {
    const shell = await fresh()
    const { code, err } = await shell.run('config', 'set', '--socketPerm', '0660', '--cache-dir=/tmp')
    expect([code, err.trim().split('\n')]).toEqual([0, [expect.any(String), expect.any(String)]])
  })
})

describe('config cat', () => {
  test('shows no secret', async () => {
    const shell = await fresh('--recaptcha.key', 'open', '--recaptcha.secret', 'hush')
    const printed = await shell.ok('config', 'cat')
    expect(printed).toContain('"open"')
    expect(printed).not.toContain('hush')
  })
})

describe('config import', () => {
  test('imports an export of File Browser', async () => {
    const shell = await fresh()
    const { key } = (await exported(shell)).settings
    await writeFile(join(shell.home, 'old.yaml'), OLD_YAML)
    const { code, err } = await shell.run('config', 'import', 'old.yaml')
    expect([code, err]).toEqual([0, expect.stringContaining('Commands and hooks stay off')])
    const { settings, server, auther } = await exported(shell)
    expect(settings).toMatchObject({
      key,
      signup: true,
      createUserDir: true,
      userHomeBasePath: '/homes',
      authMethod: 'proxy',
      minimumPasswordLength: 10,
      branding: { name: 'Old Harbour', disableUsedPercentage: true },
      rules: [{ regex: true, regexp: { raw: '(?i)\\.bak$' } }],
      defaults: { viewMode: 'mosaic', perm: { download: true, create: false } },
    })
    expect(settings.commands.after_upload).toEqual(['logger $FILE'])
    expect(auther).toMatchObject({ header: 'X-Remote-User' })
    expect(server).toMatchObject({
      root: '/old/root',
      port: '9121',
      enableExec: false,
      imageResolutionCalculation: false,
    })
  })

  test('imports an export of its own, in both formats, and creates a missing database', async () => {
    const shell = await fresh('--auth.method', 'hook', '--auth.command', 'ask', '--branding.name', 'Quay', '-s')
    await shell.ok('rules', 'add', '/secret')
    const before = await exported(shell)
    await shell.ok('config', 'export', 'out.yml')
    expect((await stat(join(shell.home, 'out.yml'))).mode & 0o777).toBe(0o600)
    for (const [index, file] of ['out.json', 'out.yml'].entries()) {
      const db = ['-d', `new-${index}.db`]
      await shell.ok('config', 'import', file, ...db)
      await shell.ok('config', 'export', 'again.json', ...db)
      const again = JSON.parse(await readFile(join(shell.home, 'again.json'), 'utf8'))
      expect(again).toEqual({ ...before, settings: { ...before.settings, key: again.settings.key } })
      expect(again.settings.key).not.toBe(before.settings.key)
    }
  })

  test.each([
    ['{"settings": {}}', 'settings and server'],
    ['{"settings": {}, "server": {"port": 80}}', 'server.port'],
    ['{"settings": {"rules": [{"regex": true}]}, "server": {}}', 'rules[0].regexp'],
    ['{', 'parsed'],
  ])('of %s changes nothing', async (text, words) => {
    const shell = await fresh('--branding.name', 'Quay')
    await writeFile(join(shell.home, 'in.json'), text)
    expect(await shell.refused('config', 'import', 'in.json')).toContain(words)
    expect((await exported(shell)).settings.branding.name).toBe('Quay')
  })

  test('needs an existing file with a known format in its name', async () => {
    const shell = await fresh()
    expect(await shell.refused('config', 'import', 'none.json')).toContain('none.json cannot be read')
    expect(await shell.refused('config', 'export', 'out.txt')).toContain('.json, .yaml or .yml')
  })
})

describe('config diff', () => {
  test('shows what an import would change, secrets hidden, and changes nothing', async () => {
    const shell = await fresh('--branding.name', 'Quay', '--recaptcha.secret', 'hush')
    await shell.ok('config', 'export', 'same.json')
    expect(await shell.ok('config', 'diff', 'same.json')).toBe('No changes.\n')
    await writeFile(join(shell.home, 'old.yaml'), OLD_YAML)
    const shown = await shell.ok('config', 'diff', 'old.yaml')
    expect(shown).toContain('- settings.branding.name: "Quay"\n+ settings.branding.name: "Old Harbour"\n')
    expect(shown).toContain('- auth.recaptcha.secret: (set)\n')
    expect(shown).not.toContain('enableExec')
    expect((await exported(shell)).settings.branding.name).toBe('Quay')
  })
})

describe('config check', () => {
  test('reports whether a file, or the current settings, are valid', async () => {
    const shell = await openConsole()
    const write = (name: string, text: string) => writeFile(join(shell.home, name), text)
    await write('old.yaml', OLD_YAML)
    await write('host.toml', 'port = 9000\nnonsense = 1\n')
    await write('bad.json', '{"settings": {"rules": [{"regex": true}]}, "server": {}}')
    await write('.filigree.yaml', 'port: http\n')
    expect(await shell.ok('config', 'check', 'old.yaml')).toBe('old.yaml is valid.\n')
    expect(await shell.ok('config', 'check', 'host.toml')).toContain("there is no setting 'nonsense'")
    expect(await shell.refused('config', 'check', 'bad.json')).toContain('rules[0].regexp')
    expect(await shell.refused('config', 'check')).toContain('port')
  })
})

test('config check lists which settings apply here and the source of each', async () => {
  const shell = await openConsole()
  await writeFile(join(shell.home, '.filigree.json'), '{"port": 9000, "prot": 1}')
  await shell.ok('config', 'init', '--address', '::1')
  const said = await shell.ok('config', 'check')
  expect(said).toContain(`port: 9000, by the file ${join(shell.home, '.filigree.json')}\n`)
  expect(said).toContain('address: ::1, by the database\n')
  expect(said).toContain("no setting 'prot'")
  expect(said).not.toContain('logLevel')
})
