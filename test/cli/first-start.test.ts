import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { EXECUTABLE } from '../api/harness.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { findFileBrowser, adopt } = await import(at('deploy/docker/first-start.js'))
const fixture = (version: string) => at(`test/fixtures/filebrowser/${version}/filebrowser.db`)
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** The root file system of a container, with the volumes that the given files are in. */
async function container(files: Record<string, string | { copyOf: string }>) {
  const root = await mkdtemp(join(tmpdir(), 'filigree-first-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['srv', 'config', 'database']) mkdirSync(join(root, folder))
  for (const [path, content] of Object.entries(files)) {
    if (typeof content === 'string') writeFileSync(join(root, path), content)
    else copyFileSync(content.copyOf, join(root, path))
  }
  return root
}

const settings = (root: string, database: string) =>
  writeFileSync(join(root, 'config/settings.json'), JSON.stringify({ port: 80, root: join(root, 'srv'), database }))

/** The environment of a program that reads the settings of the container alone. */
const environment = (variables: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  FILIGREE_PASSWORD_COST: 'least',
  ...variables,
})

test.each(['2.22.4', '2.63.23'])(
  'the first start of a container imports a database of File Browser %s, which stays as it is',
  async version => {
    const root = await container({ 'database/filebrowser.db': { copyOf: fixture(version) } })
    settings(root, '/database/filebrowser.db')
    const { variables, old } = findFileBrowser({}, root)
    expect(old).toBe(join(root, 'database/filebrowser.db'))
    const before = digest(old)
    expect(adopt(old, environment(variables), EXECUTABLE)).toBe(0)
    expect(digest(old)).toBe(before)
    const users = spawnSync(process.execPath, [EXECUTABLE, 'users', 'ls'], {
      env: environment(variables),
      encoding: 'utf8',
    })
    expect(users.stdout).toMatch(/\bboss\b|\badmin\b/)
    expect(findFileBrowser({}, root)).toEqual({ variables })
  },
)

test('a database next to the root folder, as in older images, is imported into the volume', async () => {
  const root = await container({
    'database.db': { copyOf: fixture('2.22.4') },
    '.filebrowser.json': JSON.stringify({ port: 80, database: '/database.db', root: '/srv' }),
  })
  expect(findFileBrowser({}, root)).toEqual({
    variables: {
      FILIGREE_CONFIG: join(root, '.filebrowser.json'),
      FILIGREE_DATABASE: join(root, 'database/filigree.db'),
    },
    old: join(root, 'database.db'),
  })
})

test('nothing is imported over a database that exists, that was lost, or that the host has chosen', async () => {
  const root = await container({ 'database/filebrowser.db': { copyOf: fixture('2.63.23') } })
  expect(findFileBrowser({ FILIGREE_DATABASE: 'postgres://files@db/files' }, root)).toEqual({ variables: {} })
  const own = { variables: { FILIGREE_DATABASE: join(root, 'database/filigree.db') } }
  writeFileSync(join(root, 'database/filigree.db.keep'), '')
  expect(findFileBrowser({}, root)).toEqual(own)
  rmSync(join(root, 'database/filigree.db.keep'))
  writeFileSync(join(root, 'database/filigree.db'), '')
  expect(findFileBrowser({}, root)).toEqual(own)
})

test('a container without a database of File Browser keeps its settings and starts as new', async () => {
  const root = await container({ 'database/filebrowser.db': 'not a database' })
  expect(findFileBrowser({}, root)).toEqual({ variables: {} })
  settings(root, '/database/users.db')
  expect(findFileBrowser({}, root)).toEqual({ variables: { FILIGREE_CONFIG: join(root, 'config/settings.json') } })
})

test('a corrupt database of File Browser stops the first start and leaves none of Filigree behind', async () => {
  const root = await container({ 'database/filebrowser.db': { copyOf: fixture('2.63.23') } })
  const path = join(root, 'database/filebrowser.db')
  writeFileSync(path, readFileSync(path).subarray(0, 20_000))
  settings(root, '/database/filebrowser.db')
  const { variables, old } = findFileBrowser({}, root)
  expect(adopt(old, environment(variables), EXECUTABLE)).toBe(1)
  expect(existsSync(join(root, 'database/filigree.db'))).toBe(false)
})
