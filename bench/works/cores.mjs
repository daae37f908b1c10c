import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../scripts/lib/repo.mjs'
import { compare, each, newAgent, rate, send, time } from '../measure.mjs'
import { startFiligree } from '../peers.mjs'
import { makeFiles } from './listings.mjs'
import { makePhoto } from './photos.mjs'
import { makeFile } from './transfers.mjs'

const PHOTOS = 24

/**
 * The gain of a second processor: the same work by a server on all processors and by one pinned to the first. The
 * clients share them.
 */
export async function cores({ root, scratch, servers, scale }) {
  const taskset = findProgram('taskset')
  if (taskset === undefined) throw new Error('taskset is required to pin a server to one processor')
  const own = join(scratch, 'one processor')
  mkdirSync(own)
  const one = await startFiligree(root, own, [], {}, [taskset, '-c', '0'])
  const how = { root, milliseconds: Math.max(500, 3000 * scale) }
  const both = act => ({ ours: act(servers.ours, how), 'one processor': act(one, how) })
  const perSecond = { unit: '/s', isRate: true }
  try {
    makeFiles(join(root, 'many'), 1000)
    makeFiles(join(root, 'few'), 20)
    makeFile(join(root, 'sum.bin'), Math.max(1, Math.round(512 * scale)))
    return [
      await compare({ work: 'cores: listing of 1000, 64 connections', ...perSecond }, both(listed)),
      await compare({ work: 'cores: listing of 20 while checksums are computed', ...perSecond }, both(listedDuring)),
      await compare({ work: 'cores: zip of 1000 files', unit: 'ms' }, both(zipped)),
      await compare({ work: `cores: ${PHOTOS} thumbnails, four at a time`, unit: 'ms', rounds: 3 }, both(previewed)),
    ]
  } finally {
    await one.stop()
  }
}

const listed = (server, { milliseconds }) => {
  return () => rate(server.listing('many'), 64, milliseconds)
}

const listedDuring = (server, { milliseconds }) => {
  const sum = { url: `${server.url}/api/resources/sum.bin?checksum=sha256`, headers: server.headers }
  return async () => {
    let isOver = false
    const others = async () => {
      while (!isOver) await sent(sum)
    }
    const small = rate(server.listing('few'), 8, milliseconds).finally(() => {
      isOver = true
    })
    return (await Promise.all([small, others()]))[0]
  }
}

const zipped = server => {
  const folder = server.listing('many')
  return async () => (await sent({ ...folder, url: `${server.url}/api/raw/many/?algo=zip` })).whole
}

/** The photos of each round are new to both. */
const previewed = (server, { root }) => {
  return async round => {
    const photo = await makePhoto()
    mkdirSync(join(root, `album ${round}`), { recursive: true })
    for (let number = 0; number < PHOTOS; number++) writeFileSync(join(root, `album ${round}/${number}.jpg`), photo)
    const thumb = number => ({ ...server, url: `${server.url}/api/preview/thumb/album%20${round}/${number}.jpg` })
    return time(() => each(PHOTOS, 4, number => sent(thumb(number))))
  }
}

async function sent(asked) {
  const agent = newAgent()
  try {
    return await send(asked, agent)
  } finally {
    agent.destroy()
  }
}
