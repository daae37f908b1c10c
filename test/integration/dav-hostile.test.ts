import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { encodePath, type FilePath } from '../../shared/path.ts'
import { ADMIN_PASSWORD, uniqueName } from '../api/harness.ts'
import type { RawAnswer } from '../api/raw.ts'
import { account, basic, openDav } from './dav-place.ts'

const place = await openDav()
const { dav, root, url } = place

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(join(disk, 'sub'), { recursive: true })
  await writeFile(join(disk, 'a.txt'), 'content')
})

describe('DAV-06 a destination', () => {
  test.each([
    '/dav/../x',
    '/dav/%2e%2e/x',
    '/dav/..%2fx',
    '//h/dav/x',
    '/api/x',
    '/davx/y',
    '/DAV/x',
    'relative',
    '/dav/x?y',
    '/dav/x#y',
    'http://user:pw@127.0.0.1/dav/x',
    '/dav/x%00y',
    '/dav/x y',
    `/dav/${'x'.repeat(8192)}`,
    'ftp://127.0.0.1/dav/x',
  ])('outside WebDAV or malformed changes nothing: %s', async destination => {
    for (const method of ['COPY', 'MOVE']) {
      const { status } = await dav(method, `${top}/a.txt`, { headers: { Destination: destination } })
      expect([400, 403, 431]).toContain(status)
    }
    expect(await readdir(disk)).toEqual(['a.txt', 'sub'])
    expect((await readdir(root)).filter(name => /^(?:x|y|davx|api|etc)/.test(name))).toEqual([])
  })

  test('is decoded once', async () => {
    const { status } = await dav('COPY', `${top}/a.txt`, { headers: { Destination: `/dav${top}/%252e%252e` } })
    expect(status).toBe(201)
    expect(await readdir(disk)).toContain('%2e%2e')
  })

  test('behind a link out of the scope is refused', async () => {
    await symlink('/tmp', join(disk, 'out'))
    const { status } = await dav('COPY', `${top}/a.txt`, { headers: { Destination: `/dav${top}/out/stolen.txt` } })
    expect([403, 409]).toContain(status)
    expect(existsSync('/tmp/stolen.txt')).toBe(false)
  })
})

test('DAV-07 a destination on another host is one here, and no request goes there', async () => {
  let calls = 0
  const other = createServer(() => {
    calls += 1
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise(resolve => other.once('listening', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  other.on('connection', () => {
    calls += 1
  })
  const headers = { Destination: `http://127.0.0.1:${port}/dav${top}/b.txt` }
  expect((await dav('COPY', `${top}/a.txt`, { headers })).status).toBe(201)
  expect(await readFile(join(disk, 'b.txt'), 'utf8')).toBe('content')
  expect(calls).toBe(0)
})

describe('DAV-08 COPY and MOVE', () => {
  test.each(['', '/', '/sub/deep'])('of a folder onto itself or into itself change nothing: %s', async below => {
    for (const method of ['COPY', 'MOVE']) {
      const { status } = await dav(method, `${top}/`, { headers: { Destination: `/dav${top}${below}` } })
      expect([method, status]).toEqual([method, 403])
    }
    expect(await readdir(disk)).toEqual(['a.txt', 'sub'])
  })

  test('do not replace the folder that they are in', async () => {
    const { status } = await dav('MOVE', `${top}/a.txt`, { headers: { Destination: `/dav${top}` } })
    expect(status).toBe(403)
    expect(await readdir(disk)).toEqual(['a.txt', 'sub'])
  })
})

test('DAV-09 twenty listings of all levels at once are answered or refused with a time to wait, and the next one is answered', async () => {
  const { user } = await account(place)
  await Promise.all([...Array(60)].map((_, index) => mkdir(join(disk, `d${index}`, 'e', 'f'), { recursive: true })))
  const list = () => dav('PROPFIND', `${top}/`, { user, headers: { Depth: 'infinity' } })
  const answers = await Promise.all([...Array(20)].map(list))
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter(status => status !== 207 && status !== 503)).toEqual([])
  for (const { status, headers } of answers)
    if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await list()).status).toBe(207)
})

test('DAV-09 a listing whose client does not read holds its place without memory, and gives it back when the client leaves', async () => {
  const { user } = await account(place)
  const names = [...Array(8000)].map((_, index) => `${index}-${'n'.repeat(200)}`)
  await Promise.all(names.map(name => writeFile(join(disk, 'sub', name), '')))
  const { hostname, port } = new URL(url)
  const head = `PROPFIND /dav${top}/ HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${basic(...user)}\r\nDepth: infinity\r\n\r\n`
  const idle = [1, 2].map(() => {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {}).write(head)
    return socket.pause()
  })
  const list = async () => (await dav('PROPFIND', `${top}/`, { user, headers: { Depth: 'infinity' } })).status
  await expect.poll(list).toBe(503)
  for (const socket of idle) socket.destroy()
  await expect.poll(list).toBe(207)
})

test('DAV-19 what a rule denies is in no listing, and stops the whole tree from leaving', async () => {
  await writeFile(join(disk, 'sub', 'secret.txt'), 'secret')
  const denied = `${top}/sub/secret.txt`
  const rules = [{ path: denied }]
  const { user } = await account(place, { rules })
  for (const depth of ['1', 'infinity']) {
    const path = depth === '1' ? `${top}/sub/` : `${top}/`
    const listing = await dav('PROPFIND', path, { user, headers: { Depth: depth } })
    expect([listing.status, listing.body.includes('secret')]).toEqual([207, false])
  }
  for (const method of ['COPY', 'MOVE']) {
    const headers = { Destination: `/dav${top}-gone` }
    expect((await dav(method, `${top}/`, { user, headers })).status).toBe(403)
  }
  expect((await dav('DELETE', `${top}/`, { user })).status).toBe(403)
  const same = async (path: string) => {
    const { status, body } = await dav('PROPFIND', path, { user, headers: { Depth: '0' } })
    return [status, body.toString()]
  }
  const missing = { path: `${top}/sub/missing.txt` }
  const { user: other } = await account(place, { rules: [missing] })
  const ofMissing = await dav('PROPFIND', `${top}/sub/missing.txt`, { user: other, headers: { Depth: '0' } })
  expect(await same(denied)).toEqual([ofMissing.status, ofMissing.body.toString()])
  expect(await readFile(join(disk, 'sub', 'secret.txt'), 'utf8')).toBe('secret')
})

const ODD = [
  'a<b>&"c',
  ']]>',
  'two\nlines',
  'bell\u0007',
  'n'.repeat(255),
  'é',
  'e\u0301',
  'x\ufffe',
  '100%41',
  ' ',
  '&amp;',
]

test('DAV-22 odd names are listed in well-formed XML, and their addresses lead to them', async () => {
  for (const [index, name] of ODD.entries()) await writeFile(join(disk, 'sub', name), String(index))
  await writeFile(Buffer.concat([Buffer.from(join(disk, 'sub/bad-')), Buffer.from([0xff, 0xfe])]), 'bytes')
  const listing = await dav('PROPFIND', `${top}/sub/`, { headers: { Depth: '1' } })
  const hrefs = textsOf(xmlOf(listing), 'href').slice(1)
  expect(hrefs).toHaveLength(ODD.length + 1)
  const contents = await Promise.all(
    hrefs.map(async href => (await dav('GET', href.slice('/dav'.length))).body.toString()),
  )
  expect(contents.sort()).toEqual([...ODD.keys()].map(String).concat('bytes').sort())
})

test('DAV-23 values of properties come back as the same information', async () => {
  const value = `<x:v xmlns:x="urn:a" x:k="1&amp;2" k="&quot;'"><![CDATA[<&]]]]>&gt;<!-- c --><?pi x?><y xmlns="urn:b"><z xmlns=""/> é&#x10FFFF;</y></x:v>`
  const body = `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><p xmlns="urn:p">${value}</p></D:prop></D:set></D:propertyupdate>`
  const patched = await dav('PROPPATCH', `${top}/a.txt`, { body })
  expect([patched.status, patched.body.toString()]).toEqual([207, expect.stringContaining('200 OK')])
  const asked = '<D:propfind xmlns:D="DAV:"><D:prop><p xmlns="urn:p"/></D:prop></D:propfind>'
  const found = await dav('PROPFIND', `${top}/a.txt`, { headers: { Depth: '0' }, body: asked })
  const infoset = eventsOf(xmlOf(found))
  const from = infoset.findIndex(event => event.startsWith('<urn:a v'))
  expect(infoset.slice(from, infoset.lastIndexOf('</urn:a v>') + 1)).toEqual(eventsOf(value))
})

describe('Windows Explorer', () => {
  const WINDOWS = { 'User-Agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045', Translate: 'f' }

  test('asks the folders above without a slash, and lists without a body', async () => {
    expect((await fetch(`${place.server.url}/`, { method: 'OPTIONS', headers: WINDOWS })).headers.get('DAV')).toBe(
      '1, 2, 3',
    )
    const mounted = await dav('PROPFIND', top, { headers: { ...WINDOWS, Depth: '0', 'Content-Length': '0' } })
    expect(mounted.status).toBe(207)
    const listed = await dav('PROPFIND', top, { headers: { ...WINDOWS, Depth: '1', 'Content-Length': '0' } })
    expect(textsOf(xmlOf(listed), 'href')).toContain(`/dav${top}/a.txt`)
    expect(url).toMatch(/\/dav$/)
  })

  test('asks the folder above, which holds that of WebDAV and nothing else', async () => {
    const headers = { ...WINDOWS, Authorization: basic('admin', ADMIN_PASSWORD) }
    const ask = (depth: string, more = {}) =>
      fetch(`${place.server.url}/`, { method: 'PROPFIND', headers: { ...headers, ...more, Depth: depth } })
    for (const [depth, hrefs] of [
      ['0', ['/']],
      ['1', ['/', '/dav/']],
    ] as const) {
      const answer = await ask(depth)
      expect([answer.status, textsOf(await answer.text(), 'href')]).toEqual([207, hrefs])
    }
    expect((await ask('infinity')).status).toBe(403)
    expect((await ask('0', { 'User-Agent': 'gvfs/1.50.3' })).status).toBe(404)
    expect((await ask('1', { Authorization: basic('admin', 'wrong') })).status).toBe(401)
  })

  test('gets nothing about locks where there are none, so that more names fit into its longest listing', async () => {
    const list = async (headers: object) =>
      xmlOf(await dav('PROPFIND', `${top}/`, { headers: { ...headers, Depth: '1' } }))
    expect(await list({})).toContain('<D:supportedlock>')
    const short = await list(WINDOWS)
    expect(short).not.toMatch(/supportedlock|lockdiscovery/)
    expect(textsOf(short, 'getcontentlength')).toEqual(['7'])
    const lock = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`
    await dav('LOCK', `${top}/a.txt`, { body: lock })
    expect((await list(WINDOWS)).match(/<D:activelock>/g)).toHaveLength(1)
    const named = '<D:propfind xmlns:D="DAV:"><D:prop><D:supportedlock/><D:lockdiscovery/></D:prop></D:propfind>'
    const asked = await dav('PROPFIND', `${top}/sub/`, { headers: { ...WINDOWS, Depth: '0' }, body: named })
    expect(xmlOf(asked)).toMatch(/<D:supportedlock>.*<D:lockdiscovery\/>/)
  })

  test('lists 1700 names within the million bytes that it reads', async () => {
    const names = [...Array(1700)].map((_, index) => `Quarterly report no. ${index}.pdf`)
    await Promise.all(names.map(name => writeFile(join(disk, 'sub', name), '')))
    const listed = await dav('PROPFIND', `${top}/sub`, { headers: { ...WINDOWS, Depth: '1' } })
    expect(xmlOf(listed).length).toBeLessThan(1_000_000)
  })

  test('copies a file: an empty PUT, a lock, the content, its times, and the end of the lock', async () => {
    const file = `${top}/copy.txt`
    expect((await dav('PUT', file, { headers: WINDOWS, body: '' })).status).toBe(201)
    const lock = `<?xml version="1.0" encoding="utf-8" ?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>HOME\\ann</D:href></D:owner></D:lockinfo>`
    const locked = await dav('LOCK', file, { headers: { ...WINDOWS, Timeout: 'Second-3600' }, body: lock })
    expect(locked.status).toBe(200)
    const token = locked.headers['lock-token'] ?? ''
    const holding = { ...WINDOWS, If: `(${token})` }
    expect((await dav('HEAD', file, { headers: WINDOWS })).status).toBe(200)
    expect((await dav('PUT', file, { headers: WINDOWS, body: 'x' })).status).toBe(423)
    expect((await dav('PUT', file, { headers: holding, body: 'the content' })).status).toBe(204)
    const names = ['Win32CreationTime', 'Win32LastAccessTime', 'Win32LastModifiedTime', 'Win32FileAttributes']
    const values = names.map(name => `<Z:${name}>Sat, 28 Nov 2026 06:00:00 GMT</Z:${name}>`).join('')
    const times = `<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop>${values}</D:prop></D:set></D:propertyupdate>`
    const patched = await dav('PROPPATCH', file, { headers: holding, body: times })
    expect([patched.status, textsOf(xmlOf(patched), 'status')]).toEqual([207, ['HTTP/1.1 200 OK']])
    expect((await dav('UNLOCK', file, { headers: { ...WINDOWS, 'Lock-Token': token } })).status).toBe(204)
    expect(await readFile(join(disk, 'copy.txt'), 'utf8')).toBe('the content')
    expect((await stat(join(disk, 'copy.txt'))).mtimeMs).toBe(Date.UTC(2026, 10, 28, 6))
  })

  test('renames a file to the same name in capitals', async () => {
    const headers = { ...WINDOWS, Destination: `${url}${encodePath(`${top}/A.TXT` as FilePath)}`, Overwrite: 'F' }
    expect((await dav('MOVE', `${top}/a.txt`, { headers })).status).toBe(201)
    expect(await readdir(disk)).toEqual(['A.TXT', 'sub'])
  })
})

test('Finder asks for files of its own everywhere, and finds none', async () => {
  const headers = { 'User-Agent': 'WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (x86_64)', Depth: '0' }
  const names = ['._a.txt', '.DS_Store', '.localized', '.metadata_never_index', '._.']
  const answers = await Promise.all(names.map(name => dav('PROPFIND', `${top}/${name}`, { headers })))
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 404))
})

test('Finder copies a file: an empty one, a lock, the content in pieces, its own notes next to it, and the end of the lock', async () => {
  const finder = { 'User-Agent': 'WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (x86_64)' }
  const file = `${top}/copy.txt`
  const free =
    '<D:propfind xmlns:D="DAV:"><D:prop><D:quota-available-bytes/><D:quota-used-bytes/></D:prop></D:propfind>'
  const space = xmlOf(await dav('PROPFIND', `${top}/`, { headers: { ...finder, Depth: '0' }, body: free }))
  expect(Number(textsOf(space, 'quota-available-bytes')[0])).toBeGreaterThan(0)
  expect((await dav('PUT', file, { headers: { ...finder, 'Content-Length': '0' } })).status).toBe(201)
  const lock = `<?xml version="1.0" encoding="utf-8"?>\n<D:lockinfo xmlns:D="DAV:">\n<D:lockscope><D:exclusive/></D:lockscope>\n<D:locktype><D:write/></D:locktype>\n<D:owner>\n<D:href>http://www.apple.com/webdav_fs/</D:href>\n</D:owner>\n</D:lockinfo>\n`
  const locked = await dav('LOCK', file, { headers: { ...finder, Depth: '0', Timeout: 'Second-600' }, body: lock })
  expect(locked.status).toBe(200)
  const holding = { If: `(${locked.headers['lock-token']})` }
  const refreshed = await dav('LOCK', file, { headers: { ...finder, ...holding, Timeout: 'Second-600' } })
  expect(refreshed.status).toBe(200)
  const inPieces = (length: string) =>
    fetch(`${url}${file}`, {
      method: 'PUT',
      headers: {
        ...finder,
        ...holding,
        Authorization: basic('admin', ADMIN_PASSWORD),
        'X-Expected-Entity-Length': length,
      },
      body: new Blob(['the content']).stream(),
      duplex: 'half',
    })
  expect((await inPieces('12')).status).toBe(400)
  expect(await readFile(join(disk, 'copy.txt'), 'utf8')).toBe('')
  expect((await inPieces('11')).status).toBe(204)
  expect((await dav('PUT', `${top}/._copy.txt`, { headers: finder, body: 'notes' })).status).toBe(201)
  const unlocked = await dav('UNLOCK', file, {
    headers: { ...finder, 'Lock-Token': locked.headers['lock-token'] ?? '' },
  })
  expect(unlocked.status).toBe(204)
  expect((await readdir(disk)).sort()).toEqual(['._copy.txt', 'a.txt', 'copy.txt', 'sub'])
  expect(await readFile(join(disk, 'copy.txt'), 'utf8')).toBe('the content')
})

test('an app on a phone lists all levels at once', async () => {
  const headers = { 'User-Agent': 'PDFExpert/7 CFNetwork/1490.0.4 Darwin/23.2.0', Depth: 'infinity' }
  const answer = await dav('PROPFIND', `${top}/`, { headers })
  expect([answer.status, textsOf(xmlOf(answer), 'href').sort()]).toEqual([
    207,
    [`/dav${top}/`, `/dav${top}/a.txt`, `/dav${top}/sub/`],
  ])
})

/** Prints a document as a list: elements with their namespaces and attributes, and texts; no comments, no prefixes. */
const PARSER = `
import json, sys
from xml.parsers.expat import ParserCreate
events = []
parser = ParserCreate(namespace_separator=' ')
parser.StartElementHandler = lambda name, attributes: events.append('<' + name + ''.join(f' {k}={attributes[k]}' for k in sorted(attributes)) + '>')
parser.EndElementHandler = lambda name: events.append('</' + name + '>')
parser.CharacterDataHandler = events.append
parser.buffer_text = True
parser.Parse(sys.stdin.buffer.read(), True)
print(json.dumps(events))
`

/** The body of a streamed response, without the lengths of its pieces. */
function xmlOf({ body, headers }: RawAnswer): string {
  if (headers['transfer-encoding'] !== 'chunked') return body.toString()
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.toString('latin1', at, end), 16)
    if (!(length > 0)) return Buffer.concat(pieces).toString()
    pieces.push(body.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
}

/** A document as a parser reads it that is not the server's. @throws for one that is not well-formed */
function eventsOf(xml: string): string[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PARSER], { input: xml, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${stderr}\n${xml}`)
  return JSON.parse(stdout)
}

/** The texts of all elements of a name in `DAV:`. */
function textsOf(xml: string, name: string): string[] {
  const events = eventsOf(xml)
  return events.flatMap((event, at) => (event === `<DAV: ${name}>` ? [events[at + 1] ?? ''] : []))
}
