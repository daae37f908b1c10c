// npm run bench:thumbs [-- 200]: thumbnails of so many photos of 12 megapixels, none of them made before, by Filigree and by
// the bare library, four at a time each, some photos by one and then some by the other, so that a machine that is slow for a
// while is slow for both. Prints both times and their ratio.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { newAgent, send } from './measure.mjs'
import { startFiligree } from './peers.mjs'
import { makePhoto } from './works/photos.mjs'

const AT_ONCE = 4
/**
 * Photos that one makes before the other has its turn: enough that it hardly counts how long processors wait at the end of a
 * turn, which 200 photos at once do once.
 */
const TURN = 50
const SIDE = 256
const count = Number(process.argv[2] ?? 200)
const agent = newAgent(AT_ONCE)

const scratch = mkdtempSync(join(tmpdir(), 'filigree-thumbs-'))
sharp.concurrency(1)
sharp.cache(false)
let server
try {
  const root = join(scratch, 'root')
  const names = await makePhotos(root)
  server = await startFiligree(root, scratch)
  const first = names.splice(0, AT_ONCE)
  // The processes that make previews are started by the first ones.
  await each(first, name => fetchThumb(name))
  let [ours, bare] = [0, 0]
  for (let from = 0; from < names.length; from += TURN) {
    const some = names.slice(from, from + TURN)
    ours += await time(() => each(some, name => fetchThumb(name)))
    bare += await time(() => each(some, name => resize(join(root, name))))
  }
  console.table([
    {
      photos: names.length,
      'Filigree, ms each': (ours / names.length).toFixed(1),
      'sharp, ms each': (bare / names.length).toFixed(1),
      'ratio of times': (ours / bare).toFixed(2),
    },
  ])
} finally {
  agent.destroy()
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
}

/** One photo under many names: every file is a picture of its own to the server. */
async function makePhotos(root) {
  const photo = await makePhoto()
  mkdirSync(root)
  const names = Array.from({ length: count + AT_ONCE }, (_, index) => `photo-${index}.jpg`)
  for (const name of names) writeFileSync(join(root, name), photo)
  return names
}

function fetchThumb(name) {
  const { url, headers } = server
  return send({ url: `${url}/api/preview/thumb/${name}?inline=true`, headers }, agent)
}

function resize(file) {
  return sharp(file).autoOrient().resize(SIDE, SIDE, { fit: 'cover' }).jpeg({ quality: 80 }).toBuffer()
}

/** Acts on all of them, a few at a time. */
async function each(names, act) {
  const ahead = names.values()
  const work = async () => {
    for (const name of ahead) await act(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function time(act) {
  const started = performance.now()
  await act()
  return performance.now() - started
}
