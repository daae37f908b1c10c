// node scripts/complete-lockfile.mjs [--check [file]]: package-lock.json lists each package for every platform, each
// with its checksum, and no registry. "npm ci" refuses a lockfile that lacks a package of any platform, and would
// accept one without a checksum unverified. Entries that npm omitted are fetched from the registry.
import { readFileSync, writeFileSync } from 'node:fs'
import { markInstalled } from './lib/install.mjs'
import { inRepo, systemEnvironment } from './lib/repo.mjs'
import { fail, run, say } from './lib/run.mjs'

const LOCKFILE = inRepo('package-lock.json')
const isCheck = process.argv[2] === '--check'
const lock = JSON.parse(readFileSync((isCheck && process.argv[3]) || LOCKFILE, 'utf8'))
const downloaded = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && !link)
const missing = Object.entries(lock.packages).flatMap(([path, owner]) =>
  Object.entries(owner.optionalDependencies ?? {})
    .filter(([name]) => !isLocked(path, name))
    .map(([name, version]) => ({ path: `node_modules/${name}`, name, version, owner })),
)
const unverified = downloaded
  .filter(([, { integrity }]) => !integrity)
  .map(([path, owner]) => ({ path, name: path.replace(/^.*node_modules\//, ''), version: owner.version, owner }))
const resolved = downloaded.filter(([, entry]) => entry.resolved)

if (missing.length + unverified.length + resolved.length === 0) {
  say('The lockfile is complete.')
} else if (isCheck) {
  fail(
    'package-lock.json is not complete:',
    ...missing.map(({ path }) => `  ${path} is missing`),
    ...unverified.map(({ path }) => `  ${path} has no checksum`),
    ...resolved.map(([path]) => `  ${path} names a registry`),
    'Run: node scripts/complete-lockfile.mjs',
  )
} else {
  await complete()
}

async function complete() {
  const asked = [...missing, ...unverified]
  const entries = await Promise.all(asked.map(async wanted => [wanted.path, await entryFor(wanted)]))
  const unknown = asked.filter((_, index) => entries[index][1] === undefined)
  if (unknown.length > 0) {
    const names = unknown.map(({ name, version }) => `  ${name}@${version}`)
    fail('The registry does not have:', ...names, 'Choose versions that it has for every platform.')
  }
  const all = { ...lock.packages, ...Object.fromEntries(entries) }
  const packages = Object.fromEntries(
    Object.keys(all)
      .sort()
      .map(path => [path, withoutRegistry(all[path])]),
  )
  writeFileSync(LOCKFILE, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
  markInstalled()
  say(`Completed ${asked.length + resolved.length} packages.`)
}

/** Whether a package resolves another: in its own node_modules or in one further up. */
function isLocked(path, name) {
  const key = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`
  if (lock.packages[key]) return true
  return path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

/** The registry's entry of the package; `undefined` for an unknown version. */
async function entryFor({ name, version, owner }) {
  if (!/^\d/.test(version)) fail(`${name} is not pinned (${version}); add it to package-lock.json by hand.`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { code, output } = await run(npm, ['view', `${name}@${version}`, '--json', '--loglevel=silent'], {
    env: systemEnvironment(),
    quiet: true,
  })
  const found = code === 0 ? JSON.parse(output) : undefined
  if (!found?.dist?.integrity) return undefined
  const { cpu, libc, license, os, engines } = found
  const facts = { cpu, dev: owner.dev, libc, license, optional: true, os, engines }
  return { version, integrity: found.dist.integrity, ...facts }
}

function withoutRegistry({ resolved: _, ...entry }) {
  return entry
}
