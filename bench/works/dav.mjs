import { createReadStream, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  alone,
  atLeast,
  atMost,
  compare,
  each,
  longestBlock,
  memoryOf,
  newAgent,
  over,
  rate,
  send,
  time,
  under,
} from '../measure.mjs'
import { makeFiles } from './listings.mjs'
import { makeFile } from './transfers.mjs'

const MIB = 2 ** 20
/** What rclone asks for. */
const OF_RCLONE =
  '<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop><D:displayname/><D:getlastmodified/><D:getcontentlength/><D:resourcetype/><D:getcontenttype/><checksums xmlns="http://owncloud.org/ns"/></D:prop></D:propfind>'
const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

/** P16: WebDAV next to the API of the same server: listings, uploads and locks. */
export async function webdav({ root, scratch, servers: { ours }, scale }) {
  return [...(await listings(ours, root, scale)), ...(await uploads(ours, { root, scratch, scale })), await locks(ours)]
}

async function listings(ours, root, scale) {
  const rows = []
  const agent = newAgent()
  const count = Math.round(100_000 * scale)
  const folder = `dav of ${count}`
  makeFiles(join(root, folder), count)
  const list = async body => (await send(found(ours, folder), agent, body)).whole
  const listing = async () => (await send(ours.listing(folder), agent)).whole
  for (const [what, body, most] of [
    ['what rclone asks for', OF_RCLONE, 1.5],
    ['allprop', undefined, 2],
  ]) {
    const asked = { work: `P16 PROPFIND of ${count}, ${what}`, unit: 'ms', goal: atMost(most, 'listing') }
    rows.push(await compare(asked, { ours: () => list(body), listing }))
  }
  const before = memoryOf(ours)
  const { first } = await send(found(ours, folder), agent, OF_RCLONE)
  rows.push(alone({ work: `P16 first byte of ${count}`, unit: 'ms', goal: under(150, 'ms') }, first))
  const longest = await longestBlock(ours, () => list(OF_RCLONE))
  rows.push(alone({ work: `P16 event loop delay by ${count}`, unit: 'ms', goal: under(20, 'ms') }, longest))
  rows.push(
    alone({ work: `P16 memory growth by ${count}`, unit: 'MiB', goal: under(32, 'MiB') }, memoryOf(ours) - before),
  )
  agent.destroy()
  makeFiles(join(root, 'dav of 20'), 20)
  const during = Math.max(500, 3000 * scale)
  const small = { work: 'P16 PROPFIND of 20, 64 connections', unit: '/s', isRate: true, goal: atLeast(0.7, 'listing') }
  rows.push(
    await compare(small, {
      ours: () => rate(found(ours, 'dav of 20'), 64, during),
      listing: () => rate(ours.listing('dav of 20'), 64, during),
    }),
  )
  return rows
}

/** A folder and its entries. */
const found = ({ dav }, folder) => {
  const { url, headers } = dav(`${encodeURI(folder)}/`)
  return { url, headers: { ...headers, Depth: '1' }, method: 'PROPFIND' }
}

async function uploads(ours, { root, scratch, scale }) {
  const size = Math.max(1, Math.round(1024 * scale))
  const source = join(scratch, 'dav-source.bin')
  makeFile(source, size)
  const large = asked => async () => {
    rmSync(join(root, 'dav.bin'), { force: true })
    const agent = newAgent()
    const headers = { ...asked.headers, 'Content-Length': statSync(source).size }
    const body = createReadStream(source, { highWaterMark: MIB })
    const took = await time(() => send({ ...asked, headers }, agent, body))
    agent.destroy()
    return (size * 1000) / took
  }
  const count = Math.max(10, Math.round(10_000 * scale))
  const body = Buffer.alloc(4096, 'filigree ')
  const small = ask => async () => {
    const agent = newAgent(5)
    const took = await time(() => each(count, 5, number => send(ask(`dav small/${number}`), agent, body)))
    agent.destroy()
    rmSync(join(root, 'dav small'), { recursive: true })
    makeFiles(join(root, 'dav small'), 1)
    return (count * 1000) / took
  }
  const put = name => ({ ...ours.dav(encodeURI(name)), method: 'PUT' })
  const post = name => ours.upload(encodeURI(name))
  makeFiles(join(root, 'dav small'), 1)
  const rows = [
    await compare(
      { work: `P16 PUT of ${size} MiB`, unit: 'MiB/s', isRate: true, goal: atLeast(0.95, 'upload') },
      { ours: large(put('dav.bin')), upload: large(post('dav.bin')) },
    ),
    await compare(
      {
        work: `P16 PUT of ${count} files of 4 KiB, 5 at a time`,
        unit: 'files/s',
        isRate: true,
        rounds: 3,
        goal: atLeast(0.9, 'upload'),
      },
      { ours: small(put), upload: small(post) },
    ),
  ]
  rmSync(source)
  return rows
}

/** A program that locks, writes and unlocks one file after the other. */
async function locks(ours) {
  const agent = newAgent()
  const { url, headers } = ours.dav('locked.txt')
  const ask = (method, more, body) => send({ url, method, headers: { ...headers, ...more } }, agent, body)
  const rounds = 500
  const took = await time(async () => {
    for (let round = 0; round < rounds; round++) {
      const { headers: answer } = await ask('LOCK', {}, LOCKINFO)
      const token = answer['lock-token']
      await ask('PUT', { If: `(${token})` }, 'content')
      await ask('UNLOCK', { 'Lock-Token': token })
    }
  })
  agent.destroy()
  const goal = over(300, '/s')
  return alone({ work: 'P16 LOCK, PUT and UNLOCK, one after the other', unit: '/s', goal }, (rounds * 1000) / took)
}
