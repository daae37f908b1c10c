import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { halves, inspect } from '../../server/features/previews/test-pictures.ts'
import { workersOf } from '../../server/features/previews/test-workers.ts'
import type { Finding } from '../../shared/api/diagnostics.ts'
import { call, person } from '../api/client.ts'
import { launch, makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const png = await halves(600, 400).png().toBuffer()

async function openServer(options: Parameters<typeof serve>[0] = {}, names: string[] = ['a.png']) {
  const server = await serve(options)
  for (const name of names) await writeFile(join(server.root, name), png)
  const { token } = await person(server)
  const preview = (name = 'a.png', size = 'thumb') =>
    call(server, `/api/preview/${size}/${name}?inline=true`, { token })
  return { server, preview, token }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** The first cached preview below a folder, once there is one. */
async function firstBelow(folder: string): Promise<string> {
  const isKept = (path: string) => /[/\\][0-9a-f]+$/.test(path)
  return vi.waitUntil(async () => (await filesBelow(folder).catch(() => [])).find(isKept), { timeout: 60_000 })
}

test('IMG-04 a server continues when the processes that make previews are killed', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.png`)
  const { server, preview } = await openServer({}, names)
  const running = names.map(name => preview(name))
  const first = await Promise.race(running)
  const killed = workersOf(server.pid)
  for (const pid of killed) process.kill(pid, 'SIGSEGV')
  expect(first.status).toBe(200)
  expect(killed.length).toBeGreaterThan(0)
  const statuses = (await Promise.all(running)).map(({ status }) => status)
  expect(statuses.filter(status => status !== 200 && status !== 422)).toEqual([])
  await writeFile(join(server.root, 'next.png'), png)
  expect((await preview('next.png')).status).toBe(200)
  expect((await call(server, '/health')).status).toBe(200)
})

test('no more processes make previews than configured, and they end with the server', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.png`)
  const { server, preview } = await openServer({ args: ['--imageProcessors', '2'] }, names)
  expect(new Set((await Promise.all(names.map(name => preview(name)))).map(({ status }) => status))).toEqual(
    new Set([200]),
  )
  const workers = workersOf(server.pid)
  expect(workers).toHaveLength(2)
  expect(await server.end()).toBe(0)
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow()
})

test('a stop signal to all processes leaves previews to the server until it has ended', async () => {
  const { server, preview } = await openServer({}, ['a.png', 'b.png'])
  await preview('a.png')
  const workers = workersOf(server.pid)
  for (const pid of workers) {
    process.kill(pid, 'SIGINT')
    process.kill(pid, 'SIGTERM')
  }
  expect((await preview('b.png')).status).toBe(200)
  expect(workers).toHaveLength(1)
  expect(workersOf(server.pid)).toEqual(workers)
})

test('previews are stored in the configured folder, for the server alone, and made again when they are deleted', async () => {
  const home = await makeHome()
  const cache = join(home, 'kept', 'here')
  const { server, preview } = await openServer({ home, args: ['--cacheDir', cache] })
  const before = await preview()
  const kept = await firstBelow(cache)
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  expect((await stat(join(cache, 'previews'))).mode & 0o777).toBe(0o700)
  expect(kept).not.toContain('a.png')
  await rm(join(cache, 'previews'), { recursive: true })
  const after = await preview()
  expect(after.bytes.equals(before.bytes)).toBe(true)
  expect(await filesBelow(server.home)).not.toContain(`${server.database}.cache`)
})

test('previews survive a restart next to the database', async () => {
  const home = await makeHome()
  const { server, preview } = await openServer({ home })
  const before = await preview()
  const kept = await firstBelow(`${server.database}.cache`)
  const { mtimeMs } = await stat(kept)
  await server.end()
  const again = await openServer({ home }, [])
  expect((await again.preview()).headers.get('etag')).toBe(before.headers.get('etag'))
  expect((await stat(kept)).mtimeMs).toBe(mtimeMs)
})

test('a folder that cannot store previews stops the start with a message', async () => {
  const home = await makeHome()
  await writeFile(join(home, 'file'), '')
  const flags = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--port', '0']
  const run = launch([...flags, '--cacheDir', join(home, 'file')])
  expect(await run.ended).toBe(1)
  expect(run.output()).toContain('--cacheDir')
  await rm(home, { recursive: true })
})

test.each([
  ['--disableThumbnails', 'thumb', 'big'],
  ['--disablePreviewResize', 'big', 'thumb'],
])('with %s a %s is the file itself, and the page says so', async (flag, off, on) => {
  const { server, preview } = await openServer({ args: [flag] })
  expect((await preview('a.png', off)).bytes.equals(png)).toBe(true)
  expect((await inspect((await preview('a.png', on)).bytes)).corners).toEqual(['red', 'blue', 'red', 'blue'])
  const config = /id="app-config">(.*?)<\/script>/s.exec((await call(server, '/')).text)?.[1] ?? '{}'
  expect(JSON.parse(config)).toMatchObject({ EnableThumbs: off !== 'thumb', ResizePreview: off !== 'big' })
})

test('a folder without a cache is not checked on the Health page', async () => {
  const home = await makeHome()
  const { server, token } = await openServer({ home, args: ['--previewDir', join(home, 'seen')] })
  const findings: Finding[] = JSON.parse((await call(server, '/api/doctor', { token })).text)
  const folders = findings.filter(({ code }) => code.startsWith('folder')).map(({ code, what }) => [code, what])
  expect(folders).toEqual([server.root, join(home, 'seen')].map(folder => ['folderFree', folder]))
})
