import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CONFIGURATION_PAGE, configurationPage } from './guides/configuration.ts'
import { LIMITS_PAGE, limitsPage } from './guides/limits.ts'

const REPO = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(REPO, path), 'utf8')

const RECORDS = readdirSync(join(REPO, 'docs/decisions')).filter(name => /^\d/.test(name))
const GUIDES = readdirSync(join(REPO, 'docs')).flatMap(name => (name.endsWith('.md') ? `docs/${name}` : []))
const DOCUMENTS = [
  ...readdirSync(REPO).filter(name => name.endsWith('.md')),
  ...GUIDES,
  'docs/decisions/README.md',
  'docs/security/coverage.md',
  'docs/security/limits.md',
  ...RECORDS.map(name => `docs/decisions/${name}`),
]

test('every link from one document to another file leads somewhere', () => {
  const links = DOCUMENTS.flatMap(path =>
    [...read(path).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) => ({ path, target })),
  )
  expect(links.filter(({ path, target }) => !existsSync(join(REPO, dirname(path), target)))).toEqual([])
})

test('the pages of all settings and limits are those that npm run docs:configuration writes', () => {
  expect(readFileSync(CONFIGURATION_PAGE, 'utf8')).toBe(configurationPage())
  expect(readFileSync(LIMITS_PAGE, 'utf8')).toBe(limitsPage())
})

test('the tree in CONTRIBUTING names nothing that is not there and no folder is left out', () => {
  const named = treeIn(read('CONTRIBUTING.md'))
  expect(named.filter(path => !existsSync(join(REPO, path)))).toEqual([])
  expect(foldersToName().filter(folder => !named.includes(`${folder}/`))).toEqual([])
})

test('the changelog has the unreleased changes on top', () => {
  expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe('[Unreleased]')
})

test('decision records have numbers of their own and are listed in their own table of contents', () => {
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

/** The folders of the source, two levels deep; ones without a file do not exist in a clone. */
function foldersToName(): string[] {
  const inside = (folder: string) =>
    readdirSync(join(REPO, folder), { withFileTypes: true })
      .filter(entry => entry.isDirectory() && readdirSync(join(REPO, folder, entry.name)).length > 0)
      .map(entry => `${folder}/${entry.name}`)
  const tops = ['server', 'shared', 'web', 'test', 'docs']
  return [...tops, ...tops.flatMap(inside), ...inside('server/features'), ...inside('web/features')]
}
