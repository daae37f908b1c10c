import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandsIn, follow, layOut, REPO } from '../docs/follow.ts'
import { GUIDES } from '../docs/guides.ts'
import { startIdentities } from '../docs/identities.ts'
import { openConsole, serveOnce, shareProcess } from './console.ts'

const DOCUMENTS = [...readdirSync(REPO), ...readdirSync(join(REPO, 'docs')).map(name => `docs/${name}`)].filter(name =>
  name.endsWith('.md'),
)
const read = (path: string) => readFileSync(join(REPO, path), 'utf8')

const OF_FILE_BROWSER = {
  'filebrowser.db': '2.63.23/filebrowser.db',
  'config.yaml': '2.63.23/config.yaml',
  'users.yaml': '2.63.23/users.yaml',
}

const isLeftOut = (commands: string, except: Readonly<Record<string, string>> = {}) =>
  Object.keys(except).some(start => commands.startsWith(start))

const FOLLOWED = GUIDES.filter(({ guide, except }) => commandsIn(guide).some(commands => !isLeftOut(commands, except)))

test.each(FOLLOWED)('every command in $guide works as described', async one => {
  const { guide, files, before = [], running, identities, clone, instead = [], except } = one
  const server = running && (await serveOnce())
  const { home, ok } = await openConsole(server?.home)
  for (const args of before) await ok(...args)
  for (const [path, text] of Object.entries(files ?? {})) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  for (const [path, fixture] of Object.entries(OF_FILE_BROWSER)) {
    await copyFile(join(REPO, 'test/fixtures/filebrowser', fixture), join(home, path))
  }
  await writeFile(join(home, 'settings.json'), JSON.stringify({ root: 'files', database: 'filebrowser.db' }))
  if (clone) for (const name of ['package.json', 'scripts', 'bin']) await symlink(join(REPO, name), join(home, name))
  const beside = identities && (await startIdentities())
  onTestFinished(() => beside?.stop())
  const env = { ...(server && { FILIGREE_DATABASE: server.database }), ...beside?.env }
  const places = server ? [...instead, ['127.0.0.1:8080', `${server.host}:${server.port}`] as const] : instead
  for (const written of commandsIn(guide).filter(commands => !isLeftOut(commands, except))) {
    const commands = layOut(written, places)
    expect([commands, await follow(home, commands, { env })]).toEqual([commands, 'fine'])
  }
})

test('every document with commands is tested, except those listed with a reason', () => {
  const withCommands = DOCUMENTS.filter(path => commandsIn(path).length > 0)
  expect(withCommands.sort()).toEqual(GUIDES.map(({ guide }) => guide).sort())
  // A plain string there would not be checked.
  const kindsIn = (path: string) => [...read(path).matchAll(/^```(\w*)\n[\s\S]*?^```$/gm)].map(([, kind = '']) => kind)
  const plain = DOCUMENTS.filter(path => kindsIn(path).some(kind => ['', 'text', 'bash', 'console'].includes(kind)))
  expect(plain).toEqual(['CONTRIBUTING.md'])
  for (const { guide, except = {} } of GUIDES) {
    for (const [start, why] of Object.entries(except)) {
      expect([guide, start, commandsIn(guide).some(commands => commands.startsWith(start))]).toEqual([
        guide,
        start,
        true,
      ])
      if (why.startsWith('test/')) expect([why, existsSync(join(REPO, why))]).toEqual([why, true])
    }
  }
})

test('every command in a sentence exists, with its flags', async () => {
  const console = await shareProcess()()
  const named = DOCUMENTS.flatMap(path => [...read(path).matchAll(/`filigree (?!-)(?!help)([^`]+)`/g)])
  expect(named.length).toBeGreaterThan(10)
  for (const [line = '', rest = ''] of named) {
    const tokens = rest.split(/\s+/)
    const end = tokens.findIndex(token => /^-|[<.]/.test(token))
    const said = await console.ok('help', ...tokens.slice(0, end < 0 ? tokens.length : end))
    const flags = tokens.filter(token => token.startsWith('--')).map(flag => flag.replace(/=.*/, ''))
    expect([line, flags.filter(flag => !said.includes(flag))]).toEqual([line, []])
  }
})

test('every npm script that a document names exists, and CONTRIBUTING lists each', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
  const named = DOCUMENTS.flatMap(path => [...read(path).matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name))
  expect(named.filter(name => !scripts.includes(name))).toEqual([])
  const documented = read('CONTRIBUTING.md')
  expect(scripts.filter(name => !new RegExp(`^npm (?:run )?${name}\\b(?!:)`, 'm').test(documented))).toEqual([])
})
