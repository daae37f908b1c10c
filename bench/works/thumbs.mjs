import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { atMost, compare, each, newAgent, send, time } from '../measure.mjs'
import { contenders } from './listings.mjs'
import { makePhoto } from './photos.mjs'

const FOLDER = 'photos'
const AT_ONCE = 4
/** Per round: enough that the idle processors at its end hardly count. */
const PHOTOS = 50
const ROUNDS = 4
const SIDE = 256

/** P9: previews of 200 photos of 12 megapixels, none of them cached, next to the bare library. */
export async function thumbs({ root, servers, scale }) {
  const count = Math.max(AT_ONCE, Math.round(PHOTOS * scale))
  const photo = await makePhoto()
  mkdirSync(join(root, FOLDER))
  sharp.concurrency(1)
  sharp.cache(false)
  const agent = newAgent(AT_ONCE)
  // One photo under many names: to a server every file is a different image.
  const nameOf = (cycle, index) => `photo ${cycle} ${index}.jpg`
  for (let cycle = 0; cycle <= ROUNDS; cycle++) {
    for (let index = 0; index < count; index++) writeFileSync(join(root, FOLDER, nameOf(cycle, index)), photo)
  }
  const took = (cycle, act) => time(() => each(count, AT_ONCE, index => act(nameOf(cycle, index))))
  const eachTook = async (cycle, act) => (await took(cycle, act)) / count
  const fetched = server => server && (cycle => eachTook(cycle, name => send(previewCall(server, name), agent)))
  const named = { ours: servers.ours, filebrowser: servers.filebrowser }
  const work = `P9 previews of ${ROUNDS * count} photos of 12 megapixels, each`
  const row = await compare(
    { work, unit: 'ms', goal: atMost(1.2, 'sharp'), rounds: ROUNDS },
    { ...contenders(named, fetched), sharp: cycle => eachTook(cycle, name => resize(join(root, FOLDER, name))) },
  )
  agent.destroy()
  rmSync(join(root, FOLDER), { recursive: true })
  return [row]
}

const previewCall = ({ url, headers }, name) => ({
  url: `${url}/api/preview/thumb/${FOLDER}/${encodeURIComponent(name)}?inline=true`,
  headers,
})

function resize(file) {
  return sharp(file).autoOrient().resize(SIDE, SIDE, { fit: 'cover' }).jpeg({ quality: 80 }).toBuffer()
}
