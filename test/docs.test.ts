import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../server/config.ts'
import { CONFIGURATION_PAGE, configurationPage } from './docs/configuration.ts'
import { LIMITS_PAGE, limitsPage } from './docs/limits.ts'

const REPO = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(REPO, path), 'utf8')

const RECORDS = readdirSync(join(REPO, 'docs/decisions')).filter(name => /^\d/.test(name))
const DESIGN = readdirSync(join(REPO, 'docs/design')).map(name => `docs/design/${name}`)
const GUIDES = readdirSync(join(REPO, 'docs')).flatMap(name => (name.endsWith('.md') ? `docs/${name}` : []))
const DOCUMENTS = [
  ...readdirSync(REPO).filter(name => name.endsWith('.md')),
  ...GUIDES,
  ...DESIGN,
  'docs/decisions/README.md',
  'docs/security/coverage.md',
  'docs/security/limits.md',
  ...RECORDS.map(name => `docs/decisions/${name}`),
]

test('every link from one document to another file has a target', () => {
  const links = DOCUMENTS.flatMap(path =>
    [...read(path).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) => ({ path, target })),
  )
  expect(links.filter(({ path, target }) => !existsSync(join(REPO, dirname(path), target)))).toEqual([])
})

test('the table of contents of docs/ lists every page, which is also the menu of the site', () => {
  const listed = [...read('docs/README.md').matchAll(/^- \[[^\]]+\]\(([^)]+)\)$/gm)].map(([, path]) => `docs/${path}`)
  const pages = [...GUIDES, ...DESIGN].filter(path => path !== 'docs/README.md')
  expect(pages.filter(path => !listed.includes(path))).toEqual([])
  expect(listed).toEqual([...new Set(listed)])
})

test('the pages of all settings and limits are those that npm run docs:configuration writes', () => {
  expect(readFileSync(CONFIGURATION_PAGE, 'utf8')).toBe(configurationPage())
  expect(readFileSync(LIMITS_PAGE, 'utf8')).toBe(limitsPage())
})

test('the server takes the configuration of every recipe for OpenID providers and directories', () => {
  const home = mkdtempSync(join(tmpdir(), 'filigree-recipes-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const blocks = [...read('docs/sign-in.md').matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm)]
  const recipes = blocks
    .map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    .filter(text => /^(?:providers|directories):/m.test(text))
  expect(recipes).toHaveLength(10)
  writeFileSync(join(home, 'secret'), 'a secret')
  for (const recipe of recipes) {
    // The certificates and secrets of the recipes are not on this machine.
    const here = recipe.replaceAll(/\/etc\/filigree\/\S+/g, join(home, 'secret'))
    writeFileSync(join(home, 'config.yaml'), here)
    const { providers, directories } = readConfig(['-c', join(home, 'config.yaml')], {})
    expect(providers.length + directories.length).toBe(1)
  }
})

test('the tree in CONTRIBUTING names every folder at every depth, and none that does not exist', () => {
  const named = treeIn(read('CONTRIBUTING.md'))
  expect(named.filter(path => !existsSync(join(REPO, path)))).toEqual([])
  expect(foldersToName().filter(folder => !named.includes(`${folder}/`))).toEqual([])
})

test('the files of the walks in CONTRIBUTING exist, and each walk is short', () => {
  const [, walks = ''] = /^## Two walks$(.*?)^## /ms.exec(read('CONTRIBUTING.md')) ?? []
  const pathsIn = (text: string) =>
    [...text.matchAll(/`((?:server|shared|web)\/[\w./-]+\.tsx?)`/g)].map(([, path = '']) => path)
  expect(pathsIn(walks).filter(path => !existsSync(join(REPO, path)))).toEqual([])
  for (const walk of walks.split(/^### /m).slice(1)) {
    const steps = walk.split('\n').filter(line => /^\d+\. /.test(line))
    expect(steps.length).toBeGreaterThan(5)
    expect(new Set(pathsIn(steps.join('\n'))).size).toBeLessThanOrEqual(walk.startsWith('The password') ? 12 : 15)
  }
})

test('every section of the HTTP API that the code cites exists in docs/http-api.md', () => {
  const sections = new Set(
    [...read('docs/http-api.md').matchAll(/^#{2,3} ([\d.]+?)\.? /gm)].map(([, number]) => number),
  )
  const sources = ['server', 'shared', 'web', 'test', 'scripts'].flatMap(top =>
    readdirSync(join(REPO, top), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(?:tsx?|mjs)$/.test(name))
      .map(name => `${top}/${name}`),
  )
  const cited = sources.flatMap(path =>
    [...read(path).matchAll(/http-api (\d+(?:\.\d+)?)/g)].map(([, section]) => ({ path, section })),
  )
  expect(cited.length).toBeGreaterThan(0)
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([])
})

test('the changelog has the unreleased changes at the top', () => {
  expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe('[Unreleased]')
})

test('decision records have unique numbers and are listed in their table of contents', () => {
  const numbers = RECORDS.map(name => Number(name.slice(0, 4)))
  expect(numbers).toEqual([...new Set(numbers)])
  const contents = read('docs/decisions/README.md')
  expect(RECORDS.filter(name => !contents.includes(`(${name})`))).toEqual([])
})

/** The paths of the first code block: two spaces of indentation are one level. */
function treeIn(text: string): string[] {
  const block = /```text\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const folders: string[] = []
  return block.split('\n').flatMap(line => {
    const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
    if (name === '') return []
    folders.length = indent.length / 2
    const path = folders.join('') + name
    if (name.endsWith('/')) folders.push(name)
    return [path]
  })
}

/** Every folder of the project that holds a file, at every depth; folders without one do not exist in a clone. */
function foldersToName(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(REPO, folder), { withFileTypes: true })
      .filter(entry => entry.isDirectory() && entry.name !== 'locales' && entry.name !== 'all')
      .flatMap(entry => {
        const path = `${folder}/${entry.name}`
        // What benchmarks have measured on this machine is no part of the project.
        if (path === 'bench/results') return []
        return hasFile(path) ? [path, ...below(path)] : []
      })
  const tops = ['server', 'shared', 'client', 'web', 'test', 'docs', 'scripts', 'bench', 'deploy', 'bin']
  return [...tops, ...tops.flatMap(below)]
}

const hasFile = (folder: string): boolean =>
  readdirSync(join(REPO, folder), { withFileTypes: true, recursive: true }).some(entry => entry.isFile())
