import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { EXECUTABLE } from '../wire/harness.ts'
import { openConsole, serveOnce } from './console.ts'

const REPO = fileURLToPath(new URL('../..', import.meta.url))

interface Guide {
  guide: string
  /** What has to lie there before. */
  files?: Record<string, string>
  before?: string[][]
  /** A server runs meanwhile, at the address that the guide names. */
  running?: true
}

const SET_UP = [
  ['config', 'init'],
  ['users', 'add', 'admin', 'a-long-enough-passphrase', '--perm.admin'],
]

/** Guides whose commands can be followed from the first to the last. */
const GUIDES: readonly Guide[] = [
  { guide: 'docs/adopt.md', files: { 'files/public/readme.md': 'read me' } },
  { guide: 'docs/backup.md', before: [['config', 'init']] },
  { guide: 'docs/configuration.md', files: { '.filigree.yaml': 'root: ./files\nport: 0\nbaseURL: /files\n' } },
  { guide: 'docs/users.md', files: { 'srv/a.txt': 'alpha' }, before: SET_UP },
  { guide: 'docs/reverse-proxy.md', files: { 'files/a.txt': 'alpha' } },
  { guide: 'docs/troubleshooting.md', files: { 'srv/a.txt': 'alpha' }, before: SET_UP },
  { guide: 'docs/sharing.md', files: { 'srv/report.pdf': 'a report' }, running: true },
  { guide: 'docs/api.md', files: { 'report.pdf': 'a report' }, running: true },
]

const OF_FILE_BROWSER = {
  'filebrowser.db': '2.63.23/filebrowser.db',
  'config.yaml': '2.63.23/config.yaml',
  'users.yaml': '2.63.23/users.yaml',
}

test.each(GUIDES)('every command in $guide does what it should', async ({ guide, files, before = [], running }) => {
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
  const blocks = [...readFileSync(join(REPO, guide), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  expect(blocks.length).toBeGreaterThan(0)
  for (const [, written = ''] of blocks) {
    const commands = server ? written.replaceAll('127.0.0.1:8080', `${server.host}:${server.port}`) : written
    expect(await follow(home, commands)).toEqual([commands, 'fine'])
  }
})

/** Runs commands as they stand there. A server is fine when it listens, and is ended then. */
function follow(home: string, commands: string): Promise<[string, string]> {
  const path = [dirname(EXECUTABLE), dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { PATH: path, HOME: home, FILIGREE_PORT: '0' }
  const serves = /^filigree --/m.test(commands)
  const script = serves ? commands.replace(/^filigree --/m, 'exec filigree --') : `set -e\n${commands}`
  const child = spawn('sh', ['-c', script], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let listened = false
  const hear = (chunk: Buffer) => {
    said += chunk
    if (serves && !listened && /^ +at http:/m.test(said)) {
      listened = true
      child.kill()
    }
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return new Promise(resolve => {
    child.once('close', code => resolve([commands, (serves ? listened : code === 0) ? 'fine' : said]))
  })
}
