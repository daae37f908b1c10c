import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone's root folder, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** An absolute path inside the clone. */
export const inRepo = (...names) => join(ROOT, ...names)

/** The runtime among the dependencies. */
export const PROJECT_NODE = inRepo('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const BINARIES = inRepo('node_modules', '.bin')

const withoutBinaries = () => (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== BINARIES)

/** The environment for the project's tools: its own Node and programs come first on the path. */
export const projectEnvironment = () => ({ ...process.env, PATH: [BINARIES, ...withoutBinaries()].join(delimiter) })

/** The environment for npm itself, which must not run on a Node that it is about to replace. */
export const systemEnvironment = () => ({ ...process.env, PATH: withoutBinaries().join(delimiter) })

/** The path of a program on the search path, or `undefined`. */
export function findProgram(name) {
  return withoutBinaries()
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
}

/** The start script of a tool among the dependencies, to be run with `PROJECT_NODE`. */
export const tool = {
  biome: inRepo('node_modules/@biomejs/biome/bin/biome'),
  oxlint: inRepo('node_modules/oxlint/bin/oxlint'),
  playwright: inRepo('node_modules/@playwright/test/cli.js'),
  tsc: inRepo('node_modules/typescript/bin/tsc'),
  vite: inRepo('node_modules/vite/bin/vite.js'),
  vitest: inRepo('node_modules/vitest/vitest.mjs'),
}
