import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'filigree-config-'))
})
afterEach(() => rmSync(home, { recursive: true }))

function write(name: string, text: string): string {
  writeFileSync(join(home, name), text)
  return join(home, name)
}

describe('a configuration file', () => {
  test.each([
    ['a.json', '{"Port": 9000, "baseurl": "/x", "log": "stderr"}'],
    ['a.yaml', 'Port: 9000\nbaseurl: /x\nlog: stderr\n'],
    ['a.yml', 'port: "9000"\nbaseURL: /x\nLOG: stderr\n'],
    ['a.toml', 'port = 9000\nbaseURL = "/x"\nlog = "stderr"\n'],
  ])('as %s sets the settings it names, in any case', (name, text) => {
    expect(readConfig(['-c', write(name, text)], {})).toMatchObject({ port: 9000, baseURL: '/x', log: 'stderr' })
  })

  test('is overridden by flags and variables', () => {
    const file = write('a.json', '{"port": 1, "username": "root", "disableExec": false}')
    const config = readConfig(['-c', file, '--username', 'ann'], { FB_PORT: '2' })
    expect(config).toMatchObject({ port: 2, username: 'ann', disableExec: false })
  })

  test('is found in the home folder, Filigree’s before File Browser’s', () => {
    write('.filebrowser.json', '{"port": 1}')
    expect(readConfig([], { HOME: home }).port).toBe(1)
    write('.filigree.toml', 'port = 2')
    expect(readConfig([], { HOME: home }).port).toBe(2)
  })

  test('may set an address for all networks, as images of File Browser do', () => {
    expect(readConfig(['-c', write('a.json', '{"address": ""}')], {}).address).toBe('0.0.0.0')
  })

  test.each([
    ['{"port": ', 'parsed'],
    ['[1]', 'names to values'],
    ['{"port": [1]}', "'port' must be a single value"],
    ['{"port": "many"}', 'port must be a number'],
    ['{"disableExec": "perhaps"}', 'true or false'],
  ])('with %s is refused with a message', (text, words) => {
    expect(() => readConfig(['-c', write('a.json', text)], {})).toThrow(words)
  })

  test('that is named explicitly must exist and have a known extension', () => {
    expect(() => readConfig(['-c', join(home, 'none.json')], {})).toThrow('does not exist')
    expect(() => readConfig(['-c', write('a.ini', '')], {})).toThrow('.toml')
  })

  test('with an unknown setting causes a notice', () => {
    const { notices } = readConfig(['-c', write('a.json', '{"prot": 1, "redisCacheUrl": "x"}')], {})
    expect(notices).toEqual([
      'The setting redisCacheUrl has no effect here.',
      expect.stringContaining("no setting 'prot'"),
    ])
  })
})

describe('stored settings', () => {
  const remember = (stored: Record<string, string>) => () => stored

  test('apply only where nothing else is set', () => {
    const stored = remember({ port: '9000', baseURL: '/x', root: '' })
    expect(readConfig(['-p', '1'], {}, stored)).toMatchObject({ port: 1, baseURL: '/x', rootIsDefault: true })
  })

  test('are read from the configured database', () => {
    let asked = ''
    readConfig(['-d', join(home, 'x.db')], {}, database => {
      asked = database
      return {}
    })
    expect(asked).toBe(join(home, 'x.db'))
  })

  test('for a socket are overridden by an address, and those for an address by a socket', () => {
    expect(readConfig(['-p', '1'], {}, remember({ socket: '/s' }))).toMatchObject({ socket: '', port: 1 })
    expect(readConfig([], {}, remember({ socket: '/s', port: '9000' }))).toMatchObject({ socket: '/s', port: 8080 })
    const withSocket = readConfig(['--socket', '/s'], {}, remember({ cert: '/c', key: '/k' }))
    expect(withSocket).toMatchObject({ socket: '/s', tls: undefined })
  })
})

describe('a variable with the suffix _FILE', () => {
  test('names a file with the value, and the source is the variable', () => {
    const password = write('secret', 'a long one of your own\n')
    const config = readConfig([], { FILIGREE_ADMIN_PASSWORD_FILE: password, FB_PORT_FILE: write('port', '9000') })
    expect(config).toMatchObject({ adminPassword: 'a long one of your own', port: 9000 })
    expect(config.origins.port).toMatchObject({ from: 'variable', where: 'FB_PORT_FILE', text: '9000' })
  })

  test('is overridden by the plain one', () => {
    const env = { FILIGREE_PORT: '1', FILIGREE_PORT_FILE: join(home, 'none') }
    expect(readConfig([], env).port).toBe(1)
  })

  test('that names a missing file is refused with a message', () => {
    const missing = join(home, 'none')
    const read = () => readConfig([], { FILIGREE_PORT_FILE: missing })
    expect(read).toThrow(`The file ${missing} that FILIGREE_PORT_FILE names cannot be read (ENOENT).`)
  })
})

test('the source of each setting is known', () => {
  const file = write('a.json', '{"port": 1, "log": "stderr"}')
  const { origins } = readConfig(['-c', file, '-b', '/x'], { FB_PORT: '2' }, () => ({ log: 'kept', address: '::1' }))
  expect(origins).toMatchObject({
    baseURL: { from: 'flag', text: '/x' },
    port: { from: 'variable', where: 'FB_PORT', text: '2' },
    log: { from: 'file', where: file, text: 'stderr' },
    address: { from: 'database', text: '::1' },
    logLevel: { from: 'default', text: 'info' },
  })
})
