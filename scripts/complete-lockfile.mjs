// node scripts/complete-lockfile.mjs [--check]: names every optional package of other platforms in package-lock.json.
// npm leaves out what the registry at hand does not carry, and "npm ci" then refuses the lockfile everywhere. Such a
// package is written down with its pinned version and its platform, which is what makes npm pass it by.
import { readFileSync, writeFileSync } from 'node:fs'
import { markInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { fail, say } from './lib/run.mjs'

const LOCKFILE = inRepo('package-lock.json')
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64']

const lock = JSON.parse(readFileSync(LOCKFILE, 'utf8'))
const missing = Object.entries(lock.packages).flatMap(([path, owner]) =>
  Object.entries(owner.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => ({ name, version, owner })),
)

if (missing.length === 0) {
  say('The lockfile is complete.')
} else if (process.argv.includes('--check')) {
  const names = missing.map(({ name }) => `  ${name}`)
  fail('"npm ci" would refuse package-lock.json, which lacks:', ...names, 'Run: node scripts/complete-lockfile.mjs')
} else {
  const added = missing.map(({ name, version, owner }) => [`node_modules/${name}`, entryFor(name, version, owner)])
  const all = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(LOCKFILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(all) }, null, 2)}\n`)
  markInstalled()
  say(`Added ${added.length} packages of other platforms.`)
}

/** Whether a package finds another: in its own node_modules or in one further up. */
function isLocked(path, name) {
  const key = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`
  if (lock.packages[key]) return true
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

function entryFor(name, version, owner) {
  if (!/^\d/.test(version)) fail(`${name} is not pinned (${version}); add it to package-lock.json by hand.`)
  const words = name.split(/[/-]/)
  const os = SYSTEMS.filter(system => words.includes(system))
  const cpu = PROCESSORS.filter(processor => words.includes(processor))
  if (os.length !== 1 || cpu.length !== 1) fail(`The platform of ${name} does not show in its name; add it by hand.`)
  const musl = words.some(word => word.startsWith('musl'))
  return {
    version,
    cpu,
    ...(owner.dev && { dev: true }),
    ...(os[0] === 'linux' && { libc: [musl ? 'musl' : 'glibc'] }),
    ...(owner.license && { license: owner.license }),
    optional: true,
    os,
  }
}
