import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { manager } from './accounts.ts'
import { call, json } from './client.ts'
import { openInstance } from './instance.ts'
import { configure } from './people.ts'
import { rawRequest } from './raw.ts'

const NAMES = [
  ['img/logo.svg', 'image/svg+xml'],
  ['img/icons/favicon.svg', 'image/svg+xml'],
  ['img/icons/favicon.ico', /^image\/(vnd\.microsoft\.icon|x-icon)$/],
  ['img/icons/apple-touch-icon.png', 'image/png'],
  ['img/icons/android-chrome-192x192.png', 'image/png'],
  ['img/icons/android-chrome-512x512.png', 'image/png'],
] as const
const OWN_CSS = 'h1 { color: rebeccapurple }\n'

const server = await openInstance()
const admin = await manager(server)
await configure(server, {})
const home = await mkdtemp(join(tmpdir(), 'branding-'))
afterAll(() => rm(home, { recursive: true, force: true }))

let folder = ''
let count = 0
beforeEach(async () => {
  folder = join(home, String(count++))
  await mkdir(folder)
  await brand({ files: folder })
})

/** Changes only the branding; omitted fields return to the defaults of a new installation. */
const brand = async (branding: object) => expect((await admin.change({ branding })).status).toBe(200)
const ask = (name: string, more: object = {}) =>
  rawRequest(server, { target: `${server.base}/static/${name}`, ...more })
const builtIn = async (name: string) => {
  await brand({})
  const { body } = await ask(name)
  await brand({ files: folder })
  return body
}

async function put(name: string, content = `own ${name}`): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), content)
}

async function page() {
  const answer = await call(server, '/login')
  const data = /id="app-config">(.*?)<\/script>/s.exec(answer.text)?.[1] ?? ''
  const head = answer.text.slice(0, answer.text.indexOf('</head>'))
  return { ...answer, config: JSON.parse(data), head, body: answer.text.slice(head.length) }
}

const links = (text: string) => [...text.matchAll(/<link [^>]*href="([^"]+)"/g)].map(found => found[1] ?? '')

describe('without a folder', () => {
  beforeEach(() => brand({}))

  test.each(NAMES)('%s is the built-in one', async (name, type) => {
    const answer = await ask(name)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(type)
    expect(answer.headers['cache-control']).toBe('public, max-age=86400')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.body.length).toBeGreaterThan(100)
  })

  test('there is no style sheet, and the page says so', async () => {
    expect((await ask('custom.css')).status).toBe(404)
    const { config, text } = await page()
    expect(config).toMatchObject({ CSS: false, Logo: '', Color: '' })
    expect(text).not.toContain('custom.css')
  })

  test('the page names existing icons, and the colour of the mark', async () => {
    const { head } = await page()
    expect(head).toContain('<meta name="theme-color" content="#00707b">')
    const icons = links(head).filter(link => link.includes('/img/icons/'))
    expect(icons).toHaveLength(3)
    for (const target of icons) expect((await rawRequest(server, { target })).status).toBe(200)
  })
})

describe('with a folder', () => {
  test.each(NAMES)('%s is the host’s own', async (name, type) => {
    await put(name)
    const answer = await ask(name)
    expect(answer.status).toBe(200)
    expect(answer.body.toString()).toBe(`own ${name}`)
    expect(answer.headers['content-type']).toMatch(type)
    expect(answer.headers['cache-control']).toBe('public, max-age=86400')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none';.*sandbox$/)
  })

  test('the style sheet is served and comes last in the page, under the same strict policy', async () => {
    await put('custom.css', OWN_CSS)
    const answer = await ask('custom.css')
    expect([answer.status, answer.body.toString()]).toEqual([200, OWN_CSS])
    expect(answer.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('public, max-age=86400')
    const { config, body, headers } = await page()
    expect(config.CSS).toBe(true)
    expect(body).toMatch(/<link rel="stylesheet" href="[^"]*\/static\/custom\.css\?v=\w+"><\/body>/)
    const [target = ''] = links(body)
    expect((await rawRequest(server, { target })).body.toString()).toBe(OWN_CSS)
    expect(headers.get('content-security-policy')).toMatch(/(^|; )style-src 'self' 'nonce-[^']+'($|;)/)
  })

  test('the URL of the logo in the page changes with the logo', async () => {
    await put('img/logo.svg', '<svg/>')
    const before = (await page()).config.Logo
    expect(before.startsWith(`${server.base}/static/img/logo.svg?v=`)).toBe(true)
    await put('img/logo.svg', '<svg></svg>')
    const after = (await page()).config.Logo
    expect(after).not.toBe(before)
    expect((await rawRequest(server, { target: after })).body.toString()).toBe('<svg></svg>')
  })

  test('an icon in the folder is not hidden by a built-in one of another format', async () => {
    await put('img/icons/favicon.ico')
    const { head } = await page()
    expect(head).toContain('/img/icons/favicon.ico?')
    expect(head).not.toContain('/img/icons/favicon.svg')
    await put('img/icons/favicon.svg')
    expect((await page()).head).toContain('/img/icons/favicon.svg?')
  })

  test('missing files are the built-in ones', async () => {
    await put('img/logo.svg')
    const expected = await builtIn('img/icons/favicon.ico')
    const { status, body } = await ask('img/icons/favicon.ico')
    expect([status, body.equals(expected)]).toEqual([200, true])
    expect((await ask('custom.css')).status).toBe(404)
  })

  test('another folder applies at once, also one that replaces it', async () => {
    await put('custom.css', 'a {}')
    expect((await ask('custom.css')).body.toString()).toBe('a {}')
    const first = folder
    folder = `${first}-second`
    await put('custom.css', 'b {}')
    await brand({ files: folder })
    expect((await ask('custom.css')).body.toString()).toBe('b {}')
    await rename(folder, `${folder}-old`)
    await rename(first, folder)
    expect((await ask('custom.css')).body.toString()).toBe('a {}')
    await brand({ files: '' })
    expect((await ask('custom.css')).status).toBe(404)
  })

  test('a cached file is not sent again', async () => {
    await put('custom.css', OWN_CSS)
    const { headers } = await ask('custom.css')
    const again = await ask('custom.css', { headers: { 'If-None-Match': headers.etag } })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const head = await ask('custom.css', { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '28', 0])
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s finds nothing', async method => {
    await put('img/logo.svg')
    await put('custom.css')
    for (const name of ['img/logo.svg', 'custom.css', 'img/icons/favicon.ico'])
      expect((await ask(name, { method })).status).toBe(404)
  })
})

describe('the confines of the folder', () => {
  test('LINK-01 a link out gives no access', async () => {
    const secret = join(home, 'secret.txt')
    await writeFile(secret, 'SECRET')
    await mkdir(join(folder, 'img'))
    for (const name of ['custom.css', 'img/logo.svg']) await symlink(secret, join(folder, name))
    await symlink(home, join(folder, 'img/icons'))
    await writeFile(join(home, 'favicon.svg'), 'SECRET')
    expect((await ask('custom.css')).status).toBe(404)
    const expected = await builtIn('img/logo.svg')
    for (const name of ['img/logo.svg', 'img/icons/favicon.svg'])
      expect((await ask(name)).body.equals(expected)).toBe(true)
    expect((await page()).config).toMatchObject({ CSS: false, Logo: '' })
  })

  test('a link within it is followed', async () => {
    await put('drawings/mark.svg', '<svg/>')
    await mkdir(join(folder, 'img'))
    await symlink('../drawings/mark.svg', join(folder, 'img/logo.svg'))
    expect((await ask('img/logo.svg')).body.toString()).toBe('<svg/>')
  })

  test('PATH-01 no spelling of a URL gives access to other files', async () => {
    await put('secret.txt', 'SECRET')
    await put('img/secret.txt', 'SECRET')
    await put('img/icons/secret.txt', 'SECRET')
    await put('img/secret.svg', 'SECRET')
    const spellings = [
      ...['secret.txt', 'img/secret.txt', 'img/secret.svg', 'img/icons/secret.txt', 'img/', 'img', 'img/icons/', ''],
      ...['img/../secret.txt', 'img/%2e%2e/secret.txt', 'img/..%2fsecret.txt', 'custom.css/../secret.txt'],
      ...['custom.css%2f..%2fsecret.txt', 'img%2fsecret.txt', 'img/icons/..%5csecret.txt', '%2e%2e/secret.txt'],
      ...['%252e%252e/secret.txt', 'custom.css%00', 'img/logo.svg%00/../secret.txt', `..${home}/secret.txt`],
    ]
    for (const name of spellings) {
      const { status, body } = await ask(name)
      expect([name, [400, 403, 404].includes(status), body.toString().includes('SECRET')]).toEqual([name, true, false])
    }
  })

  test('SPEC-01 special files are refused without delay', async () => {
    await mkdir(join(folder, 'custom.css'))
    await mkdir(join(folder, 'img'))
    await promisify(execFile)('mkfifo', [join(folder, 'img/logo.svg')])
    expect((await ask('custom.css')).status).toBe(404)
    expect((await ask('img/logo.svg')).body.toString()).toContain('<svg')
    expect((await page()).config).toMatchObject({ CSS: false, Logo: '' })
  })
})

test.each([
  ['is missing', 'nowhere'],
  ['is a file', 'a-file'],
  ['has the address of a bucket', 's3://bucket/folder'],
])('a folder that %s is ignored', async (_what, name) => {
  await writeFile(join(home, 'a-file'), '')
  await brand({ files: name.startsWith('s3:') ? name : join(home, name) })
  expect((await ask('custom.css')).status).toBe(404)
  expect((await ask('img/logo.svg')).body.toString()).toContain('<svg')
  expect((await page()).status).toBe(200)
})

describe('the colour', () => {
  test('tints the browser’s frame and is the accent, by a style that the policy allows', async () => {
    await brand({ color: '#FC0' })
    const { head, config, headers } = await page()
    expect(config.Color).toBe('#FC0')
    expect(head).toContain('<meta name="theme-color" content="#ffcc00">')
    const [, nonce, rule] = /<style nonce="([^"]+)">(.*?)<\/style>/.exec(head) ?? []
    expect(rule).toMatch(/^:root\{--accent:light-dark\(#[0-9a-f]{6},#ffcc00\);/)
    expect(headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
  })

  test.each(['red', '#12', '#1234', 'url(//evil.example)', '#fff}</style><script>alert(1)</script>', ' #fff'])(
    'XSS-04 %j is refused with the name of the field',
    async color => {
      const answer = await admin.change({ branding: { color } })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('branding.color')
      expect(json(await admin.settings()).branding.color).toBe('')
    },
  )
})
