import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type OwnServer, startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { basic } from '../integration/dav-place.ts'
import { type Contents, contentsOf, isLeftover } from './operations.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

const KILLS = size('DAV_KILLS', 6)
const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
const setTo = (value: string) =>
  `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><one xmlns="urn:p">${value}</one><two xmlns="urn:p">${value}</two></D:prop></D:set></D:propertyupdate>`
const FIND =
  '<D:propfind xmlns:D="DAV:"><D:prop><one xmlns="urn:p"/><two xmlns="urn:p"/><D:lockdiscovery/></D:prop></D:propfind>'

interface Request {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Requests about a file and two folders, `from` with new contents and `to` with old ones. */
const REQUESTS: Readonly<Record<string, (top: string) => Request>> = {
  'PUT over a file': top => ({ method: 'PUT', path: `${top}/a.bin`, body: randomBytes(4_000_000) }),
  'PUT of a new file': top => ({ method: 'PUT', path: `${top}/new.bin`, body: randomBytes(4_000_000) }),
  'COPY over a folder': top => ({ method: 'COPY', path: `${top}/from`, headers: { Destination: `/dav${top}/to` } }),
  'MOVE over a folder': top => ({ method: 'MOVE', path: `${top}/from`, headers: { Destination: `/dav${top}/to` } }),
  PROPPATCH: top => ({ method: 'PROPPATCH', path: `${top}/a.bin`, body: setTo('new') }),
  LOCK: top => ({ method: 'LOCK', path: `${top}/a.bin`, body: LOCKINFO, headers: { Timeout: 'Second-60' } }),
}

const send = async ({ url, adminPassword }: OwnServer, { method, path, headers, body }: Request) => {
  const Authorization = basic('admin', adminPassword)
  const answer = await fetch(`${url}/dav${path}`, {
    method,
    headers: { Authorization, ...headers },
    ...(body && { body }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** The files of a folder inside what was read. */
const inside = (contents: Contents, folder: string) =>
  JSON.stringify(
    Object.entries(contents)
      .filter(([name]) => name.startsWith(`${folder}/`) && !isLeftover(`/${name}`))
      .map(([name, hash]) => [name.slice(folder.length), hash])
      .sort(),
  )

test(`DAV-30 through ${KILLS} kills at random moments of WebDAV everything is old or new, and no lock is left`, async () => {
  let server = await startServer()
  onTestFinished(() => server.stop())
  const dice = new Dice(SEED)
  const counts: Record<string, number> = {}
  for (let round = 0; round < KILLS; round += 1) {
    const [name = '', make] = Object.entries(REQUESTS)[round % Object.keys(REQUESTS).length] ?? []
    const top = `/round${round}`
    const disk = join(server.root, top)
    for (const folder of ['from', 'to']) {
      await mkdir(join(disk, folder, 'sub'), { recursive: true })
      for (let file = 0; file < 20; file += 1)
        await writeFile(join(disk, folder, file % 2 ? 'sub' : '', `${file}.bin`), randomBytes(50_000))
    }
    await writeFile(join(disk, 'a.bin'), randomBytes(4_000_000))
    expect((await send(server, { method: 'PROPPATCH', path: `${top}/a.bin`, body: setTo('old') })).status).toBe(207)
    const before = await contentsOf(disk)
    const request = make?.(top) ?? { method: '', path: '' }
    const sending = send(server, request).catch(() => undefined)
    await new Promise(resolve => setTimeout(resolve, dice.below(250)))
    await server.end('SIGKILL')
    const answer = await sending
    server = await startServer({ home: server.home })
    const now = await contentsOf(disk)
    const found = await send(server, { method: 'PROPFIND', path: `${top}/a.bin`, headers: { Depth: '0' }, body: FIND })
    const sent = createHash('sha256')
      .update(request.body ?? '')
      .digest('hex')
    const outcome = outcomeOf(name, { before, now, sent }, found.text)
    if (answer) expect([name, answer.status, outcome]).toEqual([name, expect.any(Number), 'new'])
    counts[`${name}: ${outcome}`] = (counts[`${name}: ${outcome}`] ?? 0) + 1
    await rm(disk, { recursive: true })
  }
  report(`WebDAV: ${KILLS} kills (seed ${SEED}): ${JSON.stringify(counts)}`)
}, 3_600_000)

/** What is there after a kill. @throws for anything that is neither old nor new */
function outcomeOf(
  name: string,
  { before, now, sent }: { before: Contents; now: Contents; sent: string },
  properties: string,
): 'old' | 'new' {
  const values = [...properties.matchAll(/>(old|new)</g)].map(([, value]) => value)
  if (name === 'PROPPATCH') {
    expect([
      ['old', 'old'],
      ['new', 'new'],
    ]).toContainEqual(values)
    return values[0] === 'new' ? 'new' : 'old'
  }
  if (name === 'LOCK') return properties.includes('<D:activelock>') ? 'new' : 'old'
  expect(values.length === 2 || name.startsWith('PUT over')).toBe(true)
  if (name.startsWith('PUT')) {
    const file = name.includes('new') ? 'new.bin' : 'a.bin'
    for (const [path, hash] of Object.entries(before)) if (path !== file) expect(now[path]).toBe(hash)
    expect([before[file], sent]).toContain(now[file])
    return now[file] === sent ? 'new' : 'old'
  }
  const [source, goal] = [inside(before, 'from'), inside(before, 'to')]
  // Either tree is whole wherever it is: its place, or that of the goal.
  if (name.startsWith('COPY')) expect(inside(now, 'from')).toBe(source)
  else expect([inside(now, 'from'), inside(now, 'to')]).toContain(source)
  const there = inside(now, 'to')
  expect([source, goal]).toContain(there)
  return there === source ? 'new' : 'old'
}
