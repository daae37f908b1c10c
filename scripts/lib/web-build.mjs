import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isRunning } from './lock.mjs'
import { inRepo, tool } from './repo.mjs'
import { fail, runNode, say } from './run.mjs'

const OUTPUT = inRepo('dist', 'web')
const STAMP = inRepo('dist', 'web.stamp')
const SOURCES = ['web', 'shared', 'package-lock.json']
const NOT_BUILT = /\.(test|gen)\.tsx?$/

/** Builds the browser side when a source has changed since the last build. Silent when there is nothing to do. */
export async function ensureBuilt() {
  if (existsSync(join(OUTPUT, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint())
    return
  await buildWeb({ quiet: true })
}

/**
 * Builds the browser side into dist/web. The new build is made beside the old one and put in its place at the end, so a
 * running server never sees half of it.
 * `quiet` shows Vite's own output only when it fails.
 */
export async function buildWeb({ quiet = false } = {}) {
  const stamp = fingerprint()
  const started = Date.now()
  say('Building the web interface…')
  removeLeftovers()
  const fresh = inRepo('dist', `web.new-${process.pid}`)
  const args = [tool.vite, 'build', '--config', 'web/vite.config.ts', '--outDir', fresh, '--emptyOutDir']
  const { code, output } = await runNode(args, { quiet })
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    fail(output.trimEnd(), '', 'The web interface could not be built; the reason is above.')
  }
  await precompress(fresh)
  publish(fresh)
  writeFileSync(STAMP, stamp)
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** Makes the next start build again, because something else is about to write into dist/web. */
export const forgetBuild = () => rmSync(STAMP, { force: true })

/** Names, sizes and times of everything the build reads: a change of any of them makes the build stale. */
function fingerprint() {
  const hash = createHash('sha1')
  for (const source of SOURCES) addTo(hash, inRepo(source))
  return hash.digest('hex')
}

function addTo(hash, path) {
  if (NOT_BUILT.test(path) || !existsSync(path)) return
  const info = statSync(path)
  if (info.isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, join(path, name))
  } else {
    hash.update(`${path}\0${info.size}\0${info.mtimeMs}\n`)
  }
}

function publish(fresh) {
  const old = inRepo('dist', `web.old-${process.pid}`)
  // Another build may put its own in place between the two renames.
  for (let attempt = 1; existsSync(fresh); attempt++) {
    try {
      if (existsSync(OUTPUT)) renameSync(OUTPUT, old)
      renameSync(fresh, OUTPUT)
    } catch (error) {
      if (attempt === 3) throw error
    }
    rmSync(old, { recursive: true, force: true })
  }
}

/** Removes what builds left behind that were interrupted. */
function removeLeftovers() {
  mkdirSync(inRepo('dist'), { recursive: true })
  for (const name of readdirSync(inRepo('dist'))) {
    const pid = Number(/^web\.(?:new|old)-(\d+)$/.exec(name)?.[1])
    if (pid && !isRunning(pid)) rmSync(inRepo('dist', name), { recursive: true, force: true })
  }
}

const COMPRESSED_TYPES = /\.(js|css|html|svg|json)$/
const SMALLEST = 1024

/** Puts a `.br` and a `.gz` beside every text file over 1 KiB. The index page is a template and stays as it is. */
async function precompress(folder) {
  const names = await readdir(folder, { recursive: true })
  const wanted = names.filter(name => COMPRESSED_TYPES.test(name) && name !== 'index.html')
  await Promise.all(wanted.map(name => compress(join(folder, name))))
}

async function compress(path) {
  const body = await readFile(path)
  if (body.length < SMALLEST) return
  const quality = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(body, quality)),
    writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 })),
  ])
}
