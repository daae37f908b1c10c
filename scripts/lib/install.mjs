import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { installPackages, isDebian } from './debian.mjs'
import { alone } from './lock.mjs'
import { inRepo, PROJECT_NODE, systemEnvironment } from './repo.mjs'
import { fail, run, runNode, say } from './run.mjs'

const LOCKFILE = inRepo('package-lock.json')
const STAMP = inRepo('node_modules', '.filigree-install')
const LIBRARY = 'libatomic.so.1'
const PACKAGE = 'libatomic1'
const NPM_RECORD = inRepo('node_modules', '.package-lock.json')

/** Installs `node_modules` as package-lock.json says. Silent when it is up to date. */
export async function ensureInstalled() {
  const wanted = lockfileDigest()
  if (!isCurrent(wanted)) await alone('install', () => isCurrent(wanted) || install(wanted))
  if (!existsSync(PROJECT_NODE)) fail(...runtimeMissing)
  await ensureRuntimeStarts()
}

/** A minimal Debian lacks a library that Node is linked with. */
async function ensureRuntimeStarts() {
  const start = () => runNode(['--version'], { quiet: true })
  const { code, output } = await start()
  if (code === 0) return
  const isLibrary = output.includes(LIBRARY)
  if (isLibrary && isDebian()) {
    say(`Installing ${PACKAGE}, which Node needs…`)
    const installed = await installPackages(PACKAGE)
    if ((await start()).code === 0) return
    say(installed.output.trimEnd())
  }
  const advice = isLibrary ? [`Node needs ${LIBRARY}. On Debian and Ubuntu: apt-get install ${PACKAGE}`] : []
  fail(output.trimEnd(), '', 'The Node runtime of this project does not start; the reason is above.', ...advice)
}

/** Marks `node_modules` as up to date after package-lock.json was only formatted. */
export const markInstalled = () => writeFileSync(STAMP, lockfileDigest())

const lockfileDigest = () => createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')

function isCurrent(wanted) {
  if (!existsSync(NPM_RECORD)) return false
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return true
  // After a manual npm install its own record is at least as new as the lockfile.
  if (statSync(NPM_RECORD).mtimeMs < statSync(LOCKFILE).mtimeMs) return false
  writeFileSync(STAMP, wanted)
  return true
}

async function install(wanted) {
  say('Installing dependencies…')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run(npm, args, { env: systemEnvironment(), quiet: true })
  if (code !== 0) {
    fail(
      output.trimEnd(),
      '',
      'npm could not install the dependencies; its own output is above.',
      'Then run this again.',
    )
  }
  writeFileSync(STAMP, wanted)
}

const runtimeMissing = [
  'The Node runtime of this project is missing: node_modules/node/bin/node.',
  'It is installed by the install script of the npm package "node", and install scripts seem to be disabled here.',
  'Allow that one script, then run this again:',
  '',
  '  npm rebuild node --ignore-scripts=false',
]
