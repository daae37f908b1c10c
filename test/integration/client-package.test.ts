import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { send } from '../api/accounts.ts'
import { json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { REPO } from '../docs/follow.ts'

/** Bytes of the whole client after gzip. */
const MOST = 12_000

const run = promisify(execFile)
const wire = await serve()
const home = await mkdtemp(join(tmpdir(), 'client-'))
afterAll(() => rm(home, { recursive: true, force: true }))
const installed = join(home, 'node_modules/@filigree/client')
await mkdir(join(home, 'node_modules/@filigree'), { recursive: true })
await run(process.execPath, [join(REPO, 'scripts/build-client.mjs'), installed])

const body = { label: 'client', scopes: ['read', 'write', 'share'], current_password: wire.adminPassword }
const { token } = json(await send(wire, 'POST', '/api/tokens', await signIn(wire), body))

const guide = readFileSync(join(REPO, 'docs/client.md'), 'utf8')
const examples = [...guide.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)

test('every example in docs/client.md runs with the built package', async () => {
  expect(examples.length).toBeGreaterThan(4)
  const env = { ...process.env, FILIGREE_URL: wire.url, FILIGREE_TOKEN: token }
  for (const [index, code] of examples.entries()) await writeFile(join(home, `${index}.mjs`), code)
  // One process for all: a start costs more than most examples.
  const all = examples.map((_, index) => `await import('./${index}.mjs')\n`).join('')
  await writeFile(join(home, 'all.mjs'), all)
  await run(process.execPath, ['all.mjs'], { cwd: home, env })
})

test('a program in strict TypeScript compiles against the package, and a wrong one does not', async () => {
  await symlink(join(REPO, 'node_modules/@types'), join(home, 'node_modules/@types'))
  await writeFile(join(home, 'package.json'), '{"type": "module"}')
  const program = `import { createClient, type Job, type Resource } from '@filigree/client'
const client = createClient({ url: 'http://127.0.0.1' })
export const size = async (): Promise<number> => {
  const found: Resource = await client.files.info('/a')
  // @ts-expect-error a folder may have been found, which has no content
  void found.content
  return found.isDir ? found.items.length : (found.content?.length ?? found.size)
}
export const state = (job: Job): 'waiting' | 'running' | 'paused' | 'done' | 'cancelled' => job.state
`
  await writeFile(join(home, 'program.ts'), program)
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2024']
  await run(process.execPath, [join(REPO, 'node_modules/typescript/bin/tsc'), ...flags, 'program.ts'], { cwd: home })
})

test('the package is small and has no dependencies', () => {
  const sources = readdirSync(installed).filter(name => name.endsWith('.js'))
  const all = sources.map(name => readFileSync(join(installed, name), 'utf8')).join('')
  expect(gzipSync(all).length).toBeLessThan(MOST)
  expect([...all.matchAll(/from '([^.][^']*)'/g)].map(([, name]) => name)).toEqual([])
  expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies).toBeUndefined()
})
