import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRepo } from './repo.mjs'

/** Names of packages, with their scopes, as imports and style sheets write them. */
const IMPORTED = /(?:(?:from|import)\s*\(?\s*|url\()['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i
/** Sources that are built into the interface. */
const BUILT = /^(?!tools\/|vite\.config).*(?<!\.test)\.(?:tsx?|css)$/

/**
 * Writes the third-party content of a build: `sbom.json`, a bill of materials (CycloneDX 1.6), and
 * `third-party-licences.txt`, the text of each licence.
 */
export function writeBill(folder) {
  const own = readJson(inRepo('package.json'))
  const lock = readJson(inRepo('package-lock.json')).packages
  const paths = [...shipped(own, lock)].sort()
  const components = paths.map(path => component(path, lock[path]))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: partOf('application', own.name, own.version, own.license) },
    components,
    dependencies: paths.map(path => ({
      ref: purl(nameOf(path), lock[path].version),
      dependsOn: needsOf(path, lock)
        .map(needed => purl(nameOf(needed), lock[needed].version))
        .sort(),
    })),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify(bill, null, 2)}\n`)
  writeFileSync(join(folder, 'third-party-licences.txt'), paths.map(licenceText).join(`\n${'='.repeat(80)}\n\n`))
}

/** Lockfile paths of every package that is shipped: the server's dependencies, and those built into the interface. */
function shipped({ dependencies }, lock) {
  const found = new Set()
  const collect = path => {
    if (path === undefined || found.has(path)) return
    found.add(path)
    for (const needed of needsOf(path, lock)) collect(needed)
  }
  for (const name of [...Object.keys(dependencies), ...importedByWeb()]) collect(locate(name, '', lock))
  return found
}

function importedByWeb() {
  const files = readdirSync(inRepo('web'), { recursive: true }).filter(path => BUILT.test(path))
  const texts = files.map(path => readFileSync(inRepo('web', path), 'utf8'))
  return texts
    .flatMap(text => [...text.matchAll(IMPORTED)].map(([, name]) => name))
    .filter(name => !name.startsWith('.'))
}

const needsOf = (path, lock) =>
  Object.keys({ ...lock[path].dependencies, ...lock[path].optionalDependencies })
    .map(name => locate(name, path, lock))
    .filter(needed => needed !== undefined && isInstalled(needed))

/** The nearest package of that name upwards, as the runtime resolves it. */
function locate(name, from, lock) {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (lock[path]) return isInstalled(path) ? path : undefined
  return from === '' ? undefined : locate(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), lock)
}

/** Packages for other systems are in the lockfile but not installed. */
const isInstalled = path => existsSync(inRepo(path, 'package.json'))

const nameOf = path => path.replace(/^.*node_modules\//, '')
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function component(path, { version, integrity = '', license }) {
  const [algorithm, digest = ''] = integrity.split('-', 2)
  const hashes =
    algorithm === 'sha512' ? [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] : []
  return {
    ...partOf('library', nameOf(path), version, license ?? readJson(inRepo(path, 'package.json')).license),
    hashes,
  }
}

function partOf(type, name, version, license) {
  const facts = license.includes(' ') ? { expression: license } : { license: { id: license } }
  return { type, 'bom-ref': purl(name, version), name, version, purl: purl(name, version), licenses: [facts] }
}

function licenceText(path) {
  const { name, version, license } = readJson(inRepo(path, 'package.json'))
  const files = readdirSync(inRepo(path)).filter(file => LICENCE_FILE.test(file))
  const texts = files.map(file => readFileSync(inRepo(path, file), 'utf8').trim())
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`
}

const readJson = path => JSON.parse(readFileSync(path, 'utf8'))
