import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Dice, diceFor } from '../fuzz/dice.ts'
import { account, openDav } from '../integration/dav-place.ts'
import { report } from './report.ts'

const MINUTES = Number(process.env.FILIGREE_FUZZ_MINUTES ?? 0.5)
const SEED = Number(process.env.FILIGREE_FUZZ_SEED ?? Date.now() % 1e9)
const AT_ONCE = 8
/** Milliseconds that no answer takes. */
const SLOWEST = Number(process.env.FILIGREE_FUZZ_SLOWEST ?? 10_000)
/** A server that is full says so. */
const PERMITTED = [503, 507]

const METHODS = 'OPTIONS GET HEAD PUT DELETE MKCOL COPY MOVE PROPFIND PROPPATCH LOCK UNLOCK POST REPORT'.split(' ')
const PATHS = [
  '/f',
  '/f/a.txt',
  '/f/deep/b',
  '/f/new',
  '/f/new/x',
  '/',
  '',
  '/missing',
  '/f/%ff',
  '/f/%00',
  '/f/..%2f',
  '/f//a',
  '/f/a.txt/',
  '/f/é',
  `/f/${'n'.repeat(300)}`,
]
const TARGETS = [
  ...PATHS.map(path => `/dav${path}`),
  'http://evil.example/dav/f/y',
  '/api/x',
  '',
  '//h/dav/x',
  '/dav/f/a.txt?x',
  'urn:x',
  '/dav/../etc',
  'x'.repeat(9000),
]
const DEPTHS = ['0', '1', 'infinity', '2', '-1', '', 'Infinity, noroot']
const TIMEOUTS = ['Second-1', 'Infinite', 'Second-99999999999', 'Second--1', 'x', 'Infinite, Second-4100000000']

test(`WebDAV takes random requests without a crash, a hang or a 5xx (seed ${SEED})`, {
  timeout: (MINUTES + 2) * 60_000,
}, async () => {
  const place = await openDav()
  const { dav, root } = place
  await mkdir(join(root, 'f', 'deep'), { recursive: true })
  const { user } = await account(place)
  const known: string[] = []
  const seen = new Map<number, number>()
  const end = performance.now() + MINUTES * 60_000
  let sent = 0
  const worker = async () => {
    while (performance.now() < end) {
      const dice = diceFor(SEED, sent)
      sent += 1
      if (sent % 200 === 0) await writeFile(join(root, 'f', 'a.txt'), 'content').catch(() => undefined)
      const method = dice.pick(METHODS)
      const path = dice.pick(PATHS)
      const request = {
        user,
        headers: headersOf(dice, known),
        ...(dice.chance(0.7) && { body: bodyOf(dice) }),
      }
      const began = performance.now()
      const answer = await dav(method, path, request).catch(error => {
        throw new Error(
          `seed ${SEED}, request ${sent}: ${method} ${path} ${JSON.stringify(request).slice(0, 2000)}: ${error}`,
        )
      })
      const shown = `${method} ${path} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 300)}`
      if (answer.status >= 500 && !PERMITTED.includes(answer.status))
        expect(`${answer.status} ${shown}`).toBe('below 500')
      expect(performance.now() - began, shown).toBeLessThan(SLOWEST)
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      const token = answer.headers['lock-token']
      if (token) known[sent % 16] = token
    }
  }
  await Promise.all([...Array(AT_ONCE)].map(worker))
  const counts = [...seen].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  report(`${sent} random requests to WebDAV: ${counts.join(', ')}`)
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 207, 400, 404, 409, 412, 423]))
  // The folder of the requests may be a file by now.
  await mkdir(join(root, 'last'))
  await writeFile(join(root, 'last', 'last.txt'), 'content')
  expect((await dav('GET', '/last/last.txt')).body.toString()).toBe('content')
  expect((await dav('PROPFIND', '/', { headers: { Depth: 'infinity' } })).status).toBe(207)
})

function headersOf(dice: Dice, known: readonly string[]): Record<string, string> {
  const tokens = [...known.filter(Boolean), '<opaquelocktoken:no>', '<DAV:no-lock>', '<>', 'x']
  const ifs = [
    `(${dice.pick(tokens)})`,
    `(Not ${dice.pick(tokens)})`,
    `</dav/f/a.txt> (${dice.pick(tokens)} ["etag"])`,
    '('.repeat(500),
    `${`(${dice.pick(tokens)}) `.repeat(100)}`,
    `<http://h/dav/f> (${dice.pick(tokens)})`,
  ]
  const all: [string, string][] = [
    ['Depth', dice.pick(DEPTHS)],
    ['Destination', dice.pick(TARGETS)],
    ['Overwrite', dice.pick(['T', 'F', 'yes', ''])],
    ['Timeout', dice.pick(TIMEOUTS)],
    ['Lock-Token', dice.pick(tokens)],
    ['If', dice.pick(ifs)],
    ['If-Match', dice.pick(['*', '"x"', 'x', 'W/"x"'])],
    ['If-None-Match', dice.pick(['*', '"x"'])],
    ['Range', dice.pick(['bytes=0-0', 'bytes=9-1', 'bytes=-0', 'x'])],
    ['X-OC-Mtime', dice.pick(['1', '-1', '1e400', '99999999999999', 'x'])],
    ['Content-Type', dice.pick(['text/xml', 'application/x', '', 'multipart/form-data'])],
    ['Prefer', 'return=minimal'],
  ]
  return Object.fromEntries(all.filter(() => dice.chance(0.3)))
}

const WHOLE = [
  '<D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>',
  '<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/><x xmlns="urn:x"/></D:prop></D:propfind>',
  '<D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>',
  '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">v</x></D:prop></D:set></D:propertyupdate>',
  '<D:propertyupdate xmlns:D="DAV:"><D:remove><D:prop><x xmlns="urn:x"/></D:prop></D:remove></D:propertyupdate>',
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>o</D:owner></D:lockinfo>',
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>',
] as const
const BOMBS = [
  () => `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(99)}"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>`,
  () => '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
  () => '<a>'.repeat(20_000),
  () => `${'<a xmlns="u">'.repeat(3000)}${'</a>'.repeat(3000)}`,
  () => `<a ${[...Array(3000)].map((_, index) => `b${index}=""`).join(' ')}/>`,
  () => `<a ${[...Array(2000)].map((_, index) => `xmlns:b${index}="u${index}"`).join(' ')}/>`,
  () =>
    `<D:propfind xmlns:D="DAV:"><D:prop>${[...Array(3000)].map((_, index) => `<p${index}/>`).join('')}</D:prop></D:propfind>`,
  () => `<${'n'.repeat(60_000)}/>`,
  () => 'x'.repeat(70_000),
  () => `<?xml version="1.0" encoding="UTF-16"?><x/>`,
  () => '<x>&#0;&#xD800;&#x110000;</x>',
  () => '<x><![CDATA[',
] as const

/** A request as programs send them, one with an error in it, or one that is to exhaust the reader. */
function bodyOf(dice: Dice): string | Buffer {
  const whole = dice.pick(WHOLE)
  const kind = dice.roll()
  if (kind < 0.4) return whole
  if (kind < 0.55) return whole.slice(0, dice.below(whole.length))
  if (kind < 0.8) {
    const bytes = Buffer.from(whole)
    for (let count = 0; count < 4; count += 1) bytes[dice.below(bytes.length)] = dice.below(256)
    return bytes
  }
  return dice.pick(BOMBS)()
}
