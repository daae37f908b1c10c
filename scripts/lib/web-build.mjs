import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { fingerprint } from './fingerprint.mjs'
import { freshFolder, publish } from './publish.mjs'
import { inRepo, tool } from './repo.mjs'
import { fail, runNode, say } from './run.mjs'

const OUTPUT = inRepo('dist', 'web')
const STAMP = inRepo('dist', 'web.stamp')
const SOURCES = ['web', 'shared', 'package-lock.json']
const NOT_BUILT = /\.(test|gen)\.tsx?$/

const current = () => fingerprint(SOURCES, NOT_BUILT)

/** Builds the browser side when a source has changed since the last build. Silent when there is nothing to do. */
export async function ensureWebBuilt() {
  if (existsSync(join(OUTPUT, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === current()) return
  await buildWeb({ quiet: true })
}

/**
 * Builds the browser side into dist/web. The new build is made next to the old one and replaces it at the end, so a
 * running server never sees half of it. `quiet` shows Vite's own output only when it fails.
 */
export async function buildWeb({ quiet = false } = {}) {
  const stamp = current()
  const started = Date.now()
  say('Building the web interface…')
  const fresh = freshFolder('web')
  const args = [tool.vite, 'build', '--config', 'web/vite.config.ts', '--outDir', fresh, '--emptyOutDir']
  const { code, output } = await runNode(args, { quiet })
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    fail(output.trimEnd(), '', 'The web interface could not be built; the reason is above.')
  }
  await precompress(fresh)
  publish(fresh, 'web')
  writeFileSync(STAMP, stamp)
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

const COMPRESSED_TYPES = /\.(m?js|css|html|svg|json)$/
const SMALLEST = 1024
/** Of Brotli: 8 % larger than the best, in a tenth of its time. */
const QUICK = 9
const BEST = constants.BROTLI_MAX_QUALITY

/**
 * Writes a `.br` and a `.gz` next to every text file over 1 KiB. The index page is a template and stays as it is.
 * @param isRelease as small as possible, which takes half a minute of processor time
 */
export async function precompress(folder, isRelease = false) {
  const names = await readdir(folder, { recursive: true })
  const wanted = names.filter(name => COMPRESSED_TYPES.test(name) && name !== 'index.html')
  await Promise.all(wanted.map(name => compress(join(folder, name), isRelease ? BEST : QUICK)))
}

async function compress(path, quality) {
  const body = await readFile(path)
  if (body.length < SMALLEST) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length, [constants.BROTLI_PARAM_QUALITY]: quality }
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(body, { params })),
    writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 })),
  ])
}
