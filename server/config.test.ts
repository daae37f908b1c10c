import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INTERFACE_SETTINGS } from './config/interface-settings.ts'
import { isInterfaceSetting, parseDuration, readConfig } from './config.ts'

describe('the configuration', () => {
  test('has a default for everything', () => {
    expect(readConfig([], {})).toMatchObject({ address: '127.0.0.1', port: 8080, baseURL: '', rootIsDefault: true })
  })

  test('prefers flags to variables, and Filigree’s variables to File Browser’s', () => {
    const env = { FB_PORT: '1', FILIGREE_PORT: '2' }
    expect(readConfig([], { FB_PORT: '1' }).port).toBe(1)
    expect(readConfig([], env).port).toBe(2)
    expect(readConfig(['-p', '3'], env).port).toBe(3)
  })

  test('accepts flags in both spellings', () => {
    expect(readConfig(['--baseURL', '/x'], {}).baseURL).toBe('/x')
    expect(readConfig(['--baseurl=/x/'], {}).baseURL).toBe('/x')
    expect(readConfig(['--token-expiration-time', '30m'], {}).tokenLifetime).toBe(1_800_000)
    expect(readConfig(['--disable-query-token'], {}).queryToken).toBe(false)
  })

  test('accepts switches with and without a value', () => {
    expect(readConfig([], {}).disableExec).toBe(true)
    expect(readConfig(['--disableExec=false'], {}).disableExec).toBe(false)
    expect(readConfig(['--disable-exec=false'], {}).disableExec).toBe(false)
    expect(readConfig(['--disableExec=true'], { FB_DISABLE_EXEC: 'false' }).disableExec).toBe(true)
    expect(readConfig(['--disableExec'], { FB_DISABLE_EXEC: 'false' }).disableExec).toBe(true)
    expect(readConfig([], { FB_DISABLE_EXEC: 'false' }).disableExec).toBe(false)
  })

  test('requires a sandbox for programs unless the host disables it', () => {
    expect(readConfig([], {}).execSandbox).toBe('bubblewrap')
    expect(readConfig(['--exec-sandbox=none'], {}).execSandbox).toBe('none')
    expect(readConfig([], { FILIGREE_EXEC_SANDBOX: 'none' }).execSandbox).toBe('none')
  })

  test('parses socket modes as octal', () => {
    expect(readConfig([], {}).socketPerm).toBe(0o666)
    expect(readConfig(['--socket-perm', '600'], {}).socketPerm).toBe(0o600)
    expect(readConfig([], { FB_SOCKETPERM: '0o660' }).socketPerm).toBe(0o660)
  })

  test('parses modes of files and folders as octal', () => {
    expect(readConfig([], {})).toMatchObject({ fileMode: 0o640, dirMode: 0o750 })
    expect(readConfig(['--fileMode', '0664'], { FILIGREE_DIR_MODE: '775' })).toMatchObject({
      fileMode: 0o664,
      dirMode: 0o775,
    })
    expect(() => readConfig(['--fileMode', '888'], {})).toThrow('must be octal')
  })

  test.each([
    ['127.0.0.1:9180', { host: '127.0.0.1', port: 9180 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    [':9180', { host: '0.0.0.0', port: 9180 }],
  ])('serves metrics at %s', (text, metrics) => {
    expect(readConfig(['--metrics', text], {})).toMatchObject({ metrics })
  })

  test.each(['9180', '127.0.0.1', '127.0.0.1:x', '127.0.0.1:99999'])('refuses the metrics address %s', text => {
    expect(() => readConfig(['--metrics', text], {})).toThrow('port')
  })

  test('accepts settings without effect with a notice', () => {
    const { notices } = readConfig(['--redis-cache-url', 'redis://cache'], {})
    expect(notices).toEqual([expect.stringContaining('redisCacheUrl has no effect')])
  })

  test('detects types by content and stays in the scope by default, also under older names', () => {
    const usual = { typeDetectionByHeader: true, imageResolution: true, followExternalSymlinks: false }
    expect(readConfig([], {})).toMatchObject(usual)
    const args = ['--disable-type-detection-by-header', '--disableImageResolutionCalc']
    const other = { typeDetectionByHeader: false, imageResolution: false, followExternalSymlinks: true }
    expect(readConfig(args, { FB_FOLLOW_EXTERNAL_SYMLINKS: 'true' })).toMatchObject({ ...other, notices: [] })
  })

  test('keeps previews next to the database by default', () => {
    expect(readConfig(['-d', '/data/f.db'], {}).cacheDir).toBe('/data/f.db.cache')
    const flags = ['-d', '/data/f.db', '--cache-dir', '/c']
    expect(readConfig(flags, {})).toMatchObject({ cacheDir: '/c', previewDir: '/c' })
    expect(readConfig(flags, { FILIGREE_PREVIEW_DIR: '/p' })).toMatchObject({ cacheDir: '/c', previewDir: '/p' })
    expect(readConfig(flags, { FILIGREE_PREVIEW_DIR: '/p' })).toMatchObject({ previewFolder: '/p' })
  })

  test('keeps previews in a bucket, but not among the files', () => {
    const place = 's3://kept/seen?endpoint=http://127.0.0.1:1'
    const known = readConfig(['--previewDir', place, '--root', 's3://files/team'], {})
    expect(known).toMatchObject({ previewDir: place, previewFolder: undefined, cacheDir: resolve('filigree.db.cache') })
    expect(readConfig(['--previewDir', place, '--root', '/srv'], {})).toMatchObject({ previewDir: place })
    const adjacent = ['--previewDir', 's3://files/team2', '--root', 's3://files/team']
    expect(readConfig(adjacent, {})).toMatchObject({ previewDir: 's3://files/team2' })
    for (const [root, inside] of [
      ['s3://files/team', 's3://files/team'],
      ['s3://files/team', 's3://files/team/seen?endpoint=http://127.0.0.1:1'],
      ['s3://files', 's3://files/seen'],
      ['s3://files/team', 's3://files'],
    ] as const) {
      expect(() => readConfig(['--previewDir', inside, '--root', root], {}), inside).toThrow('among the files')
    }
    expect(() => readConfig(['--previewDir', 's3://'], {})).toThrow('makes no sense')
  })

  test('makes previews with four processes by default, with another number, or not at all', () => {
    expect(readConfig([], {})).toMatchObject({ imageProcessors: 4, thumbnails: true, resizePreview: true })
    const args = ['--disable-thumbnails', '--img-processors=2']
    const asked = { imageProcessors: 2, thumbnails: false, resizePreview: false }
    expect(readConfig(args, { FB_DISABLE_PREVIEW_RESIZE: 'true' })).toMatchObject(asked)
    for (const count of ['0', '-1', 'many', '1000']) {
      expect(() => readConfig([`--imageProcessors=${count}`], {})).toThrow('from 1 to 128')
    }
  })

  test('parses when the name index is kept and how often it is compared', () => {
    expect(readConfig([], {})).toMatchObject({ nameIndex: 'auto', nameIndexEvery: 600_000 })
    const asked = readConfig(['--name-index=scheduled'], { FILIGREE_NAME_INDEX_EVERY: '1h' })
    expect(asked).toMatchObject({ nameIndex: 'scheduled', nameIndexEvery: 3_600_000 })
    expect(() => readConfig(['--nameIndex=never'], {})).toThrow('auto, always, scheduled, off')
  })

  test('uses stored settings where the host sets none', () => {
    const stored = () => ({ imageProcessors: '2', logLevel: 'debug' })
    const config = readConfig([], { FILIGREE_LOG_LEVEL: 'warn' }, stored)
    expect(config).toMatchObject({ imageProcessors: 2, logLevel: 'warn', notices: [] })
    expect(config.origins.imageProcessors).toMatchObject({ from: 'database', text: '2', fallback: '4' })
    expect(readConfig(['--imageProcessors', '3'], {}, stored).imageProcessors).toBe(3)
  })

  test.each(Object.keys(INTERFACE_SETTINGS).filter(isInterfaceSetting))(
    'ignores the stored value of %s where it is invalid',
    name => {
      // Names of files can be any text without a slash.
      const nonsense = name === 'versionsSkip' ? 'non/sense' : 'nonsense'
      const { notices, origins } = readConfig([], {}, () => ({ [name]: nonsense }))
      expect(notices).toEqual([
        expect.stringMatching(`^What the database keeps for ${name} is left out: .*'${nonsense}'`),
      ])
      expect(origins[name]).toMatchObject({ from: 'default', text: origins[name].fallback })
    },
  )

  test('allows roles other than all with PostgreSQL only', () => {
    expect(readConfig([], {}).roles).toBe('all')
    expect(readConfig(['--roles=web', '--database=postgres://db/f'], {}).roles).toBe('web')
  })

  test('parses networks of trusted proxies', () => {
    expect(readConfig([], {}).trustedProxies).toEqual([])
    const { trustedProxies } = readConfig(['--trustedProxies', '127.0.0.1, 10.0.0.0/8 fd00::/8'], {})
    expect(trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  })

  test('parses host names as URLs have them', () => {
    const { allowedHosts } = readConfig(['--allowed-hosts', 'Files.example.org, bücher.example [::1] 127.0.0.1'], {})
    expect(allowedHosts).toEqual(['files.example.org', 'xn--bcher-kva.example', '[::1]', '127.0.0.1'])
  })

  test('parses the origins of pages with frames', () => {
    expect(readConfig([], {}).frameAncestors).toEqual([])
    const { frameAncestors } = readConfig(['--frame-ancestors', 'self, https://Home.example:8123 http://10.0.0.2/'], {})
    expect(frameAncestors).toEqual(["'self'", 'https://home.example:8123', 'http://10.0.0.2'])
  })

  test.each(['*', 'https:', 'https://*.example', 'https://home.example/frame', "'none'", 'data:,a', 'javascript:1'])(
    'XSS-10 refuses %s as the origin of pages with frames',
    ancestor => {
      expect(() => readConfig(['--frameAncestors', ancestor], {})).toThrow('frame ancestor')
    },
  )

  test('lets trusted proxies send downloads', () => {
    expect(readConfig([], {}).accelRedirect).toBe('')
    const given = ['--accel-redirect', '/deep/filigree-files/', '--trustedProxies', '127.0.0.1']
    expect(readConfig(given, {}).accelRedirect).toBe('/deep/filigree-files/')
  })

  test.each([
    [['--accelRedirect', '/files/'], '--trustedProxies'],
    [['--accelRedirect', '/files', '--trustedProxies', '::1'], '/filigree-files/'],
    [['--accelRedirect', '/a b/', '--trustedProxies', '::1'], '/filigree-files/'],
    [['--accelRedirect', '/../', '--trustedProxies', '::1'], '/filigree-files/'],
    [['--trustedProxies', 'proxy.example'], 'network'],
    [['--trustedProxies', '10.0.0.0/33'], 'network'],
    [['--trustedProxies', '10.0.0.0/'], 'network'],
    [['--trustedProxies', '0.0.0.0/0'], 'network'],
    [['--trustedProxies', '10.0.0.0/8/8'], 'network'],
    [['--socket', '/s', '--port', '1'], 'socket or port'],
    [['--socket', '/s', '--cert', 'c', '--key', 'k'], 'socket or cert'],
    [['--cert', 'c.pem'], 'HTTPS needs both'],
    [['--socketPerm', '999'], 'octal'],
    [['--noauth=maybe'], 'true or false'],
    [['--port', '70000'], 'port'],
    [['--port', 'http'], 'port'],
    [['--allowedHosts', 'https://files.example.org'], 'allowed host'],
    [['--allowedHosts', 'files.example.org:8080'], 'allowed host'],
    [['--baseURL', '/a/../b'], 'base URL'],
    [['--baseURL', '/a?b'], 'base URL'],
    [['--logLevel', 'loud'], 'logLevel must be'],
    [['--execSandbox', 'maybe'], 'execSandbox must be'],
    [['--roles', 'worker'], 'PostgreSQL'],
    [['--roles', 'boss', '--database', 'postgres://db/f'], 'roles must be'],
    [['--tokenExpirationTime', 'soon'], 'duration'],
    [['--davLockTime', '30s'], 'lifetime of a lock'],
    [['--davLockTime', '25h'], 'lifetime of a lock'],
    [['--nonsense'], 'nonsense'],
    [['extra'], 'extra'],
  ])('refuses %j with a message', (args, word) => {
    expect(() => readConfig(args, {})).toThrow(word)
  })
})

test.each([
  ['2h', 7_200_000],
  ['30m', 1_800_000],
  ['2h30m', 9_000_000],
  ['1.5h', 5_400_000],
  ['1s', 1000],
])('the duration %s is %d ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})
