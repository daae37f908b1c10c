import { cpSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inRepo } from './repo.mjs'

/** What the program never loads: types, maps, and builds of a package for browsers and older module systems. */
const UNUSED = [
  /\.(?:d\.[cm]?ts|map)$/,
  /@hyzyla\/pdfium\/dist\/.*(?:base64|browser|cdn|worker|\.cjs$)/,
  /libheif-js\/libheif(?:$|-wasm\/(?:libheif-bundle\.mjs|libheif\.wasm))/,
]

/**
 * Copies packages of the clone, and their dependencies, into the `node_modules` of a folder, without the parts that are
 * not used at run time.
 */
export function copyPackages(names, folder) {
  const found = new Set()
  for (const name of names) collect(name, inRepo(), found)
  for (const path of found) cpSync(path, join(folder, relative(inRepo(), path)), { recursive: true, filter: isUsed })
}

const isUsed = path => !UNUSED.some(pattern => pattern.test(path.replaceAll('\\', '/')))

/** Adds the folder of a package, as resolved from another folder, and those of its dependencies that are installed. */
function collect(name, from, found) {
  const path = find(name, from)
  if (path === undefined || found.has(path)) return
  found.add(path)
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) collect(needed, path, found)
}

/** The nearest package of that name upwards, as the runtime resolves it. */
function find(name, from) {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return path
  return from === inRepo() ? undefined : find(name, dirname(from))
}
