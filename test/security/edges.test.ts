import { link, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { exchange, openSocket } from '../api/raw.ts'
import { CONTENT, callsOf, openWorld } from './world.ts'

const world = await openWorld()
const place = { host: '127.0.0.1', port: world.port }
const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]
const token = await world.signIn({ perm: { ...ALL_PERMISSIONS, admin: false }, rules })

describe('HTTP-02 a header that is sent twice', () => {
  test.each(['Host', 'X-Auth', 'X-SHARE-PASSWORD', 'Content-Type', 'Upload-Length', 'Upload-Offset'])(
    'is refused: %s',
    async name => {
      const first = name === 'Host' ? '' : `Host: x\r\n`
      const twice = `${name}: 1\r\n${name}: 2\r\n`
      const answer = await exchange(
        place,
        Buffer.from(`GET /health HTTP/1.1\r\n${first}${twice}Connection: close\r\n\r\n`),
      )
      expect(answer.status).toBe(400)
    },
  )
})

test('HTTP-03 connections with slow headers are closed, and block no other', async () => {
  const began = performance.now()
  const slow = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = await openSocket(place)
      socket.write('GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      return readEnd(socket)
    }),
  )
  const asked = performance.now()
  expect((await world.ask({ method: 'GET', target: '/health' })).status).toBe(200)
  expect(performance.now() - asked).toBeLessThan(5000)
  const answers = await Promise.all(slow.map(({ ended }) => ended))
  expect(performance.now() - began).toBeGreaterThan(LIMITS.headersTimeout / 2)
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408|^$/)
})

/** All bytes until the server closes the connection. */
const readEnd = (socket: Awaited<ReturnType<typeof openSocket>>) => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<string>(resolve => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.once('end', () => socket.destroy())
    socket.once('error', () => socket.destroy())
  })
  return { ended }
}

describe('MOVE-05 MOVE-03 a copy over another name of the same file', () => {
  test.each(['a hard link', 'a link'])('leaves its content unchanged: %s', async kind => {
    const [file, other] = [join(world.root, 'a.txt'), kind === 'a link' ? 'docs-2/same' : 'hard']
    if (kind === 'a link') await symlink('../a.txt', join(world.root, other))
    else await link(file, join(world.root, other))
    for (const [from, to] of [
      ['a.txt', other],
      [other, 'a.txt'],
    ]) {
      const query = `action=copy&override=true&destination=${encodeURIComponent(`/${to}`)}`
      const { status } = await world.ask({ method: 'PATCH', target: `/api/resources/${from}?${query}`, token })
      expect(status).toBeLessThan(500)
      expect(await readFile(file, 'utf8')).toBe(CONTENT)
    }
    await rm(join(world.root, other))
  })
})

test('PATH-06 for any spelling of a path, the opened file is the one whose rules were checked, or none', async () => {
  const piece = constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%2e',
    '%2F',
    'a.txt',
    'docs',
    'deny',
    'secret.txt',
    '%64eny',
    'one.txt',
    'free',
    'one-link.txt',
    '%5c',
    '%00',
    'docs-link',
    'indir',
    'out',
    '%25',
    ' ',
  )
  await assert(
    asyncProperty(array(piece, { maxLength: 8 }), async pieces => {
      const spelling = `/${pieces.join('').replaceAll(' ', '%20')}`
      const { status, text } = await world.ask({ method: 'GET', target: `/api/raw${spelling}`, token })
      expect(status).toBeLessThan(500)
      const place = await referenceOf(spelling)
      if (place === undefined) expect(status).not.toBe(200)
      else if (status === 200 && !text.startsWith('PK'))
        expect(text).toBe(await readFile(place, 'utf8').catch(() => text))
    }),
    { numRuns: 500 },
  )
  expect(world.seen.leaks).toEqual([])
})

/** The meaning of a valid path: decoded once, without empty and dotted names, inside, and not denied. */
async function referenceOf(spelling: string): Promise<string | undefined> {
  const decoded = decodeURIComponent(spelling).replace(/^\//, '').replace(/\/$/, '')
  const names = decoded.split('/')
  if (decoded !== '' && names.some(name => ['', '.', '..'].includes(name) || name.includes('\0'))) return undefined
  const real = await realpath(join(world.root, ...names)).catch(() => undefined)
  const isInside = real === world.root || real?.startsWith(`${world.root}/`)
  return isInside && !real?.startsWith(join(world.root, 'deny')) && names[0] !== 'deny' ? real : undefined
}

test('XSS-01 XSS-08 every call that sends stored content declares it, and none of it is a program of a page', async () => {
  const sends = callsOf(world.routes).filter(({ route }) => [route.describes.answers[200]?.type].flat().includes('*/*'))
  expect(sends.filter(({ route }) => !route.stored).map(({ name }) => name)).toEqual([])
  for (const { method, route } of sends) {
    const target = route.path.replace('*', 'a.txt?inline=true')
    const { status } = await world.ask({ method, target, token, headers: { 'Sec-Fetch-Dest': 'script' } })
    expect([route.path, status]).toEqual([route.path, 403])
  }
})
