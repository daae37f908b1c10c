import { findProgram } from './repo.mjs'
import { run, say } from './run.mjs'

/** Programs that the tests of archives read them with, and the Debian packages they come in. */
const PACKAGES = { unzip: 'unzip', bzip2: 'bzip2', xz: 'xz-utils', lz4: 'lz4' }

/** Installs what is missing where that is possible; elsewhere the tests fall back to Python. */
export async function ensureUnpackers() {
  const missing = Object.entries(PACKAGES).filter(([program]) => findProgram(program) === undefined)
  const debian = process.getuid?.() === 0 && findProgram('apt-get') !== undefined
  if (missing.length === 0 || !debian) return
  say('Installing programs that read archives, for the tests…')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env, quiet: true })
  const names = missing.map(([, name]) => name)
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], { env, quiet: true })
}
