import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { EXECUTABLE } from '../api/harness.ts'
import { REPO } from '../docs/follow.ts'
import { DEMO } from './home.ts'

/** Runs the demo with a temporary folder of its own until it announces itself. */
async function startDemo(script = join(import.meta.dirname, 'main.ts')) {
  const temporary = await mkdtemp(join(tmpdir(), 'filigree-demo-test-'))
  const env = { ...process.env, TMPDIR: temporary, FILIGREE_EXECUTABLE: EXECUTABLE }
  const child = spawn(process.execPath, [script, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(temporary, { recursive: true, force: true })
  })
  const said = await new Promise<string>(resolve => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      if (text.includes('Ctrl+C')) resolve(text)
    })
    child.once('close', () => resolve(text))
  })
  const [, url = ''] = /demo is at (\S+)\/$/m.exec(said) ?? []
  const [, hash = ''] = /\/share\/(\S+)$/m.exec(said) ?? []
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, said, hash, temporary, stop }
}

/** The demo as the image has it, below a folder with the packages of a release. */
function bundled(): string {
  const folder = join(REPO, 'dist', `demo-${process.pid}`)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { status, stderr } = spawnSync(process.execPath, [join(REPO, 'scripts/bundle-demo.mjs'), folder])
  expect(status, String(stderr)).toBe(0)
  return join(folder, 'e2e/screens/main.js')
}

test('the demo has files, marks, versions and a share link, names its account, and leaves nothing behind', async () => {
  const { url, said, hash, temporary, stop } = await startDemo()
  expect(said).toContain(`sign in as ${DEMO.name}, with the password ${DEMO.password}`)
  const token = await signIn({ url, adminName: DEMO.name, adminPassword: DEMO.password })
  const { items } = json(await call({ url }, '/api/resources/', { token }))
  expect(items.map(({ name }: { name: string }) => name)).toContain('Coast walk')
  expect(json(await call({ url }, '/api/stars', { token })).items).toHaveLength(4)
  expect(json(await call({ url }, '/api/tags', { token })).items).toHaveLength(2)
  expect(json(await call({ url }, '/api/versions/Boat%20house/Notes.md', { token })).items).toHaveLength(2)
  expect(json(await call({ url }, `/api/public/share/${hash}`)).items.length).toBeGreaterThan(10)
  expect(await readdir(temporary)).toHaveLength(1)
  expect(await stop()).toBe(0)
  expect(await readdir(temporary)).toEqual([])
})

test('the demo of the image, without the tests and their packages, is the same', async () => {
  const { url, hash, temporary, stop } = await startDemo(bundled())
  const token = await signIn({ url, adminName: DEMO.name, adminPassword: DEMO.password })
  const { items } = json(await call({ url }, '/api/resources/', { token }))
  expect(items.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['Coast walk', 'Budget 2026.xlsx']),
  )
  expect(json(await call({ url }, `/api/public/share/${hash}`)).items.length).toBeGreaterThan(10)
  expect(await stop()).toBe(0)
  expect(await readdir(temporary)).toEqual([])
})
