import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesOf, encodeName } from '../../shared/bytes.ts'
import { signIn } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { outsideFolder, serve } from '../api/instance.ts'
import { linkTo, withPassword } from '../api/links-client.ts'
import { enrol, PASSWORD } from '../api/people.ts'
import { ask, PROTOCOLS, visit } from './client.ts'
import { isThere, makeCertificate, PREFIX, startProxy } from './proxies.ts'
import { startRelay } from './relay.ts'

const CONTENT = 'alpha beta gamma'
const OUTSIDE = 'what nobody may see'
/** Names with characters that are special in a URL, a header or a configuration. */
const NAMES = [
  ...['100% a+b?#é&;.txt', ' blanks ', '%2e%2e%2fx', '..hidden', 'naïve – 界.html', `"it's" $args`, 'back\\slash'],
  ...['a\nb', '~', 'caf\udce9.txt', 'a b/c?d/e%2f.txt'],
]
/** Headers of the connection or of the responding server. */
const PASSING = ['date', 'connection', 'keep-alive', 'server', 'transfer-encoding']
const LOCATION = '/filigree-files/'

type Headers = Record<string, string>

describe.runIf(isThere('nginx'))('nginx sends downloads itself:', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const server = await serve({
    base: PREFIX,
    args: ['--trustedProxies', '127.0.0.1', '--accelRedirect', LOCATION],
  })
  const { root } = server
  // The proxy is another user when it is started by root.
  await chmod(server.home, 0o755)
  await mkdir(join(root, 'team'))
  const token = await signIn(server)
  await enrol(server, [{ name: 'ann', may: ['download'], scope: '/team', rules: [{ path: '/denied.txt' }] }])
  const relay = await startRelay(server)
  afterAll(() => relay.stop())
  const certificate = await makeCertificate(folder)
  const proxy = await startProxy('nginx', 'kept', { target: relay, certificate, files: root })
  afterAll(() => proxy.stop())

  async function put(name: string, content: string): Promise<void> {
    await mkdir(join(root, dirname(name)), { recursive: true })
    await writeFile(Buffer.from(bytesOf(`${root}/${name}`)), content)
  }

  /** Through the proxy. `places`: the paths that the server named. */
  async function through(path: string, headers: Headers = {}, method = 'GET') {
    relay.places.length = 0
    const visitor = visit(proxy.origin, 'HTTP/1.1')
    const answer = await ask(visitor, { path: `${PREFIX}${path}`, method, headers: { 'X-Auth': token, ...headers } })
    visitor.leave()
    const kept = Object.entries(answer.headers).filter(([name]) => !PASSING.includes(name))
    return {
      status: answer.status,
      headers: Object.fromEntries(kept),
      body: answer.body.toString(),
      places: relay.places.slice(),
    }
  }

  /** Directly, as the expected response through the proxy. */
  async function direct(path: string, headers: Headers = {}, method = 'GET') {
    const answer = await fetch(`${server.url}${path}`, { method, headers: { 'X-Auth': token, ...headers } })
    const kept = [...answer.headers].filter(([name]) => !PASSING.includes(name))
    return { status: answer.status, headers: Object.fromEntries(kept), body: await answer.text() }
  }

  test.each(NAMES)('%j has the bytes and headers of the server, whole and in part', async name => {
    await put(name, CONTENT)
    const encoded = name.split('/').map(encodeName).join('/')
    const path = `/api/raw/${encoded}`
    const etag = (await direct(path)).headers.etag ?? ''
    const asked: Headers[] = [
      {},
      { Range: 'bytes=6-9' },
      { Range: 'bytes=-5' },
      { Range: 'bytes=3-', 'If-Range': etag },
      { 'If-None-Match': '"another"' },
    ]
    for (const headers of asked) {
      expect(await through(path, headers)).toEqual({ ...(await direct(path, headers)), places: [LOCATION + encoded] })
    }
  })

  test.each(['page.html', 'a.svg', 'a.pdf', 'a.txt', 'a.mp4', 'nothing-known'])(
    '%s has its own content type',
    async name => {
      await put(name, CONTENT)
      const path = `/api/raw/${name}?inline=true`
      expect(await through(path)).toEqual({ ...(await direct(path)), places: [LOCATION + name] })
    },
  )

  test.each<[status: number, method: string, headers: (now: Headers) => Headers]>([
    [200, 'HEAD', () => ({})],
    [304, 'GET', ({ etag = '' }) => ({ 'If-None-Match': etag })],
    [304, 'GET', ({ 'last-modified': time = '' }) => ({ 'If-Modified-Since': time })],
    [200, 'GET', ({ etag = '' }) => ({ 'If-Match': etag })],
    [412, 'GET', () => ({ 'If-Match': '"another"' })],
    [412, 'GET', () => ({ 'If-Unmodified-Since': new Date(0).toUTCString() })],
    [416, 'GET', () => ({ Range: 'bytes=100-' })],
    [200, 'GET', () => ({ Range: 'bytes=3-', 'If-Range': '"another"' })],
    [200, 'GET', () => ({ Range: 'bytes=5-3' })],
    [200, 'GET', () => ({ Range: 'lines=1-2' })],
  ])('the server itself answers %i to %s with conditions', async (status, method, conditions) => {
    await put('plain.txt', CONTENT)
    const path = '/api/raw/plain.txt'
    const headers = conditions((await direct(path)).headers)
    const answer = await through(path, headers, method)
    expect(answer).toEqual({ ...(await direct(path, headers, method)), status, places: [] })
  })

  test('several ranges, and files without content, are sent by the server', async () => {
    await put('plain.txt', CONTENT)
    await put('empty.txt', '')
    const several = await through('/api/raw/plain.txt', { Range: 'bytes=0-1,4-5' })
    expect([several.status, several.places]).toEqual([206, []])
    const path = '/api/raw/empty.txt'
    expect(await through(path)).toEqual({ ...(await direct(path)), places: [] })
  })

  test('an old file, and one behind a link within the scope, keep their times and names', async () => {
    await put('old.txt', CONTENT)
    await utimes(join(root, 'old.txt'), 1, 1)
    await symlink('old.txt', join(root, 'by-link.txt'))
    for (const path of ['/api/raw/old.txt', '/api/raw/by-link.txt']) {
      expect(await through(path)).toEqual({ ...(await direct(path)), places: [`${LOCATION}old.txt`] })
    }
  })

  test('links work without a session, and require their password', async () => {
    await put('shared/a b.txt', CONTENT)
    const { hash } = await linkTo(server, token, '/shared', { password: 'copper-anvil' })
    const path = `/api/public/dl/${hash}/a%20b.txt`
    const refused = await through(path, { 'X-Auth': '' })
    expect([refused.status, refused.places]).toEqual([401, []])
    const headers = { 'X-Auth': '', ...withPassword('copper-anvil') }
    const places = [`${LOCATION}shared/a%20b.txt`]
    expect(await through(path, headers)).toEqual({ ...(await direct(path, headers)), places })
  })

  test('permissions, rules and scopes apply', async () => {
    await put('team/open.txt', CONTENT)
    await put('team/denied.txt', OUTSIDE)
    await put('other.txt', OUTSIDE)
    const headers = { 'X-Auth': await signIn(server, 'ann', PASSWORD) }
    expect(await through('/api/raw/open.txt', headers)).toMatchObject({
      body: CONTENT,
      places: [`${LOCATION}team/open.txt`],
    })
    expect(await through('/api/raw/denied.txt', headers)).toMatchObject({ status: 403, places: [] })
    for (const path of ['/api/raw/other.txt', '/api/raw/team/open.txt', '/api/raw/..%2fother.txt']) {
      const { status, places, body } = await through(path, headers)
      expect([path, status >= 400, places, body.includes(OUTSIDE)]).toEqual([path, true, [], false])
    }
    expect(await through('/api/raw/team/open.txt', { 'X-Auth': '' })).toMatchObject({ status: 401, places: [] })
  })

  test.each(PROTOCOLS)('the location’s URL gives no access to files, over %s', async by => {
    await put('inner.txt', OUTSIDE)
    const visitor = visit(proxy.origin, by)
    for (const path of ['/filigree-files/inner.txt', '/filigree-files/', '/%66iligree-files/inner.txt']) {
      const { status, body } = await ask(visitor, { path, headers: { 'X-Accel-Redirect': path } })
      expect([path, status, body.includes(OUTSIDE)]).toEqual([path, 404, false])
    }
    visitor.leave()
  })

  test.each([
    ['a folder', 'swapped', '', 404],
    ['a file', 'swapped/a.txt', 'a.txt', 403],
  ])('%s that is exchanged for a link after the check gives no access', async (_, swapped, goal, refusal) => {
    const outside = await outsideFolder()
    await chmod(outside, 0o755)
    await writeFile(join(outside, 'a.txt'), OUTSIDE)
    await rm(join(root, 'swapped'), { recursive: true, force: true })
    await put('swapped/a.txt', CONTENT)
    relay.beforeResponse = async () => {
      await rename(join(root, swapped), join(root, uniqueName('away')))
      await symlink(join(outside, goal), join(root, swapped))
    }
    const { status, body, places } = await through('/api/raw/swapped/a.txt')
    relay.beforeResponse = async () => {}
    expect([status, body.includes(OUTSIDE), places]).toEqual([refusal, false, [`${LOCATION}swapped/a.txt`]])
  })

  test('a client that bypasses the proxy gets the bytes, and not their path', async () => {
    await put('direct.txt', CONTENT)
    const { body, headers } = await direct('/api/raw/direct.txt')
    expect([body, headers['x-accel-redirect']]).toEqual([CONTENT, undefined])
  })
})
