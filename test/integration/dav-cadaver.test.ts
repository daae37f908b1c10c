import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { uniqueName } from '../api/harness.ts'
import { account, makeToken, openDav } from './dav-place.ts'

const isInstalled = spawnSync('cadaver', ['--version']).error === undefined
const place = await openDav()
const { id } = await account(place)

/** Runs commands in cadaver, which signs in as the guide says. @returns what it prints */
async function cadaver(home: string, url: string, secret: string, commands: readonly string[]): Promise<string> {
  await writeFile(join(home, '.netrc'), `machine 127.0.0.1\nlogin any\npassword ${secret}\n`, { mode: 0o600 })
  const child = spawn('cadaver', [url], { cwd: home, env: { ...process.env, HOME: home }, stdio: 'pipe' })
  child.stdin.end(`${[...commands, 'quit'].join('\n')}\n`)
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return said + errors
}

test.runIf(isInstalled)('cadaver puts, gets, makes, moves, copies, locks, sets properties and deletes', async () => {
  const home = await mkdtemp(join(tmpdir(), 'cadaver-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const top = uniqueName('t')
  const disk = join(place.root, top)
  await mkdir(disk)
  const { secret } = await makeToken(place, id)
  await writeFile(join(home, 'a.txt'), 'content')
  const said = await cadaver(home, `${place.url}/${top}/`, secret, [
    'put a.txt',
    'mkcol sub',
    'copy a.txt sub/copy.txt',
    'move a.txt sub/b.txt',
    'lock sub/b.txt',
    'discover sub/b.txt',
    'unlock sub/b.txt',
    'propset sub/b.txt colour blue',
    'propget sub/b.txt colour',
    'get sub/b.txt back.txt',
    'mget sub/copy.txt',
    'ls sub',
    'delete sub/copy.txt',
    'mkcol gone',
    'rmcol gone',
  ])
  expect(said).not.toMatch(/failed|error/i)
  expect(said).toMatch(/blue/)
  expect(await readFile(join(home, 'back.txt'), 'utf8')).toBe('content')
  expect(await readdir(disk, { recursive: true })).toEqual(['sub', 'sub/b.txt'])
})
