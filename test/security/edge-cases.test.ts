import { execFileSync } from 'node:child_process'
import { copyFile, link, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { workersOf } from '../../server/features/previews/test-workers.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openedBelow } from '../api/descriptors.ts'
import { exchange } from '../api/raw.ts'
import { callsOf, openWorld } from './world.ts'

process.env.FILIGREE_SECRET = 'hidden-from-programs'
const world = await openWorld()
const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]
const user = await world.enrol({ perm: { ...ALL_PERMISSIONS, admin: false }, rules })
const tokenOf = () => world.context.sessions.start(user)
const place = { host: '127.0.0.1', port: world.port }

afterEach(() => vi.useRealTimers())

test('HDR-03 SHR-11 no shared cache stores a response, and no URL is sent to other origins', async () => {
  const token = await tokenOf()
  const wrong: string[] = []
  for (const { method, name, route } of callsOf(world.routes)) {
    if (method !== 'GET' || route.path === '/api/events') continue
    for (const path of ['a.txt', 'docs/']) {
      const target = route.path.replace(/\*$/, path).replace(/:\w+/g, '1')
      const { headers } = await world.ask({ method, target, token })
      if (!/no-store|private/.test(headers['cache-control'] ?? '')) wrong.push(`${name}: may be kept`)
      if (headers['referrer-policy'] !== 'no-referrer') wrong.push(`${name}: is disclosed`)
    }
  }
  expect(wrong).toEqual([])
})

test('HTTP-13 unsupported upgrades and expectations are refused or ignored', async () => {
  const ask = async (headers: string) => {
    const head = `GET /health HTTP/1.1\r\nHost: x\r\nConnection: close${headers}\r\n\r\n`
    return (await exchange(place, Buffer.from(head))).status
  }
  expect(await ask(', Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__')).toBe(200)
  expect(await ask('\r\nExpect: 200-maybe')).toBe(417)
  const socket =
    ', Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  expect(await ask(socket)).not.toBe(101)
})

test('IMG-09 a file of two formats has the type of its name, and nothing else', async () => {
  const both = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.from('<html><script>1</script>')])
  await writeFile(join(world.root, 'both.jpg'), both)
  await writeFile(join(world.root, 'page.gif'), '<html><script>1</script>')
  const token = await tokenOf()
  for (const [name, type] of [
    ['both.jpg', 'image/jpeg'],
    ['page.gif', 'image/gif'],
  ]) {
    const { headers } = await world.ask({ method: 'GET', target: `/api/raw/${name}?inline=true`, token })
    expect([name, headers['content-type'], headers['x-content-type-options']]).toEqual([name, type, 'nosniff'])
    expect(headers['content-security-policy']).toContain('sandbox')
  }
})

test('SPEC-04 a file that is repeatedly replaced with a pipe blocks no request', async () => {
  const at = (name: string) => join(world.root, name)
  await mkdir(at('swap'))
  await writeFile(at('swap/file'), 'content')
  execFileSync('mkfifo', [at('swap/pipe')])
  await link(at('swap/file'), at('swap/x'))
  const token = await tokenOf()
  let asked = 0
  const exchangeAll = async () => {
    for (let round = 0; asked < 200; round += 1) {
      await link(at(round % 2 === 0 ? 'swap/pipe' : 'swap/file'), at('swap/next'))
      await rename(at('swap/next'), at('swap/x'))
    }
  }
  const ask = async () => {
    const wrong: string[] = []
    while (asked < 200) {
      asked += 1
      const { status, text } = await world.ask({ method: 'GET', target: '/api/raw/swap/x', token })
      if (status === 200 ? text !== 'content' : status < 400 || status >= 500) wrong.push(`${status} ${text}`)
    }
    return wrong
  }
  const [, ...wrong] = await Promise.all([exchangeAll(), ask(), ask(), ask()])
  expect(wrong.flat()).toEqual([])
  await rm(at('swap'), { recursive: true })
})

test('SPEC-05 a sparse file of terabytes is listed at once, and read no longer than its client stays', async () => {
  const huge = join(world.root, 'huge.png')
  await writeFile(huge, '')
  await truncate(huge, 2 ** 42)
  const token = await tokenOf()
  const ask = (target: string, headers = {}) => world.ask({ method: 'GET', target, token, headers })
  expect(JSON.parse((await ask('/api/resources/huge.png')).text).size).toBe(2 ** 42)
  const last = await ask('/api/raw/huge.png', { Range: 'bytes=-1' })
  expect([last.status, last.text]).toEqual([206, '\0'])
  expect((await ask('/api/preview/thumb/huge.png')).status).toBeGreaterThanOrEqual(400)
  for (const target of ['/api/resources/huge.png?checksum=md5', '/api/raw/huge.png', '/api/raw/?algo=tarxz']) {
    const leaving = new AbortController()
    const url = `http://127.0.0.1:${world.port}${target}`
    const answer = fetch(url, { headers: { 'X-Auth': token }, signal: leaving.signal }).then(({ body }) =>
      body?.getReader().read(),
    )
    setTimeout(() => leaving.abort(), 300)
    await answer.catch(() => {})
    leaving.abort()
  }
  await expect.poll(() => openedBelow(huge, process.pid)).toEqual([])
  await rm(huge)
})

test('DIR-03 fifty clients that list a large folder at once all get it', async () => {
  await mkdir(join(world.root, 'large'))
  const names = Array.from({ length: 1000 }, (_, index) => `f${index}`)
  for (const name of names) await writeFile(join(world.root, 'large', name), '')
  const token = await tokenOf()
  const lists = await Promise.all(
    Array.from({ length: 50 }, () => world.ask({ method: 'GET', target: '/api/resources/large/', token })),
  )
  expect(lists.map(({ text }) => JSON.parse(text).items.length)).toEqual(Array(50).fill(names.length))
  await rm(join(world.root, 'large'), { recursive: true })
})

test('NAME-10 letters with a different size in the other case are sorted, searched and ruled by name', async () => {
  const names = ['İstanbul.txt', 'straße.txt', '\u212Aelvin.txt', 'ǅ.txt']
  for (const name of names) await writeFile(join(world.root, name), 'x')
  const rules = names.map(name => ({ regex: false, allow: false, path: `/${name}`, regexp: null }))
  const [all, none] = [await tokenOf(), await world.signIn({ perm: ALL_PERMISSIONS, rules })]
  const listed = async (token: string) =>
    JSON.parse(
      Buffer.from((await world.ask({ method: 'GET', target: '/api/resources/', token })).text, 'latin1').toString(),
    )
      .items.map(({ name }: { name: string }) => name)
      .filter((name: string) => names.includes(name))
  expect((await listed(all)).toSorted()).toEqual(names.toSorted())
  expect(await listed(none)).toEqual([])
  for (const name of names) {
    const target = `/api/search/?query=${encodeURIComponent(name)}`
    const found = Buffer.from((await world.ask({ method: 'GET', target, token: all })).text, 'latin1').toString()
    expect(JSON.parse(found).map(({ path }: { path: string }) => path)).toEqual([name])
    await rm(join(world.root, name))
  }
})

test('LOCK-08 a save while an upload ends under the same name leaves one of the contents complete', async () => {
  const token = await tokenOf()
  const [sent, saved] = ['u'.repeat(50_000), 's'.repeat(70_000)]
  await writeFile(join(world.root, 'same.txt'), 'before')
  for (let round = 0; round < 10; round += 1) {
    const replies = await Promise.all([
      world.ask({
        method: 'POST',
        target: '/api/tus/same.txt?override=true',
        token,
        headers: { 'Upload-Length': String(sent.length), 'Content-Type': 'application/offset+octet-stream' },
        body: sent,
      }),
      world.ask({ method: 'PUT', target: '/api/resources/same.txt', token, body: saved }),
    ])
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    expect([sent, saved]).toContain(await readFile(join(world.root, 'same.txt'), 'utf8'))
  }
  expect((await readdir(world.root)).filter(name => name.startsWith('same'))).toEqual(['same.txt'])
  await rm(join(world.root, 'same.txt'))
})

test('AUTH-17 a clock that jumps makes no session eternal, and requests end none', async () => {
  const target = '/api/resources/'
  const status = async (token: string) => (await world.ask({ method: 'GET', target, token })).status
  const token = await tokenOf()
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + 10 * 365 * 86_400_000 })
  expect(await status(token)).toBe(401)
  const early = await tokenOf()
  expect(await status(early)).toBe(200)
  vi.setSystemTime(now)
  expect(await status(early)).toBe(401)
  const late = await tokenOf()
  vi.setSystemTime(now - 3_600_000)
  expect(await status(late)).toBe(200)
})

test('OPS-07 preview processes know no secret of the host', async () => {
  await copyFile(fileURLToPath(new URL('../corpus/halves.png', import.meta.url)), join(world.root, 'p.png'))
  const { status } = await world.ask({ method: 'GET', target: '/api/preview/thumb/p.png', token: await tokenOf() })
  expect(status).toBe(200)
  const workers = workersOf(process.pid)
  expect(workers.length).toBeGreaterThan(0)
  for (const pid of workers) {
    const texts = await Promise.all(['environ', 'cmdline'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8')))
    expect(texts.join()).not.toMatch(/hidden-from-programs|FILIGREE_|PASSWORD/)
  }
})

test('MX-05 none of these responses contained a secret', () => {
  expect(world.seen.leaks).toEqual([])
})
