import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { probeTarget } from '../../server/cli/doctor/ask.ts'
import type { HandedFile } from '../../shared/api/diagnostics.ts'
import { probeAccelRedirect } from '../../shared/diagnostics/probe-accel-redirect.ts'
import { call, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { isThere, makeCertificate, PREFIX, type ProxyName, startProxy, trust } from './proxies.ts'

const LOCATION = '/filigree-files/'
const isRoot = process.getuid?.() === 0
type Setting = Partial<Parameters<typeof startProxy>[2]>

const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const certificate = await makeCertificate(folder)
await trust(certificate)
const server = await serve({ base: PREFIX, args: ['--trustedProxies', '127.0.0.1', '--accelRedirect', LOCATION] })
const { root } = server
// The proxy is another user when it is started by root.
await chmod(server.home, 0o755)
const token = await signIn(server)

/** Files of the served folder, and nothing else in there. */
async function lay(...names: string[]): Promise<void> {
  await rm(join(root, 'deep'), { recursive: true, force: true })
  await rm(join(root, 'a b?.txt'), { force: true })
  await mkdir(join(root, 'deep/er'), { recursive: true })
  for (const name of names) await writeFile(join(root, name), 'alpha beta')
}

async function diagnose(name: ProxyName, setting: Setting) {
  const proxy = await startProxy(name, 'kept', { target: server, certificate, ...setting })
  onTestFinished(() => proxy.stop())
  return probeAccelRedirect(probeTarget(`${proxy.origin}${PREFIX}`, token).ask, probeTarget(proxy.origin).ask)
}

beforeEach(() => lay('a b?.txt', 'deep/er/other.txt'))

describe.runIf(isThere('nginx'))('the diagnostics of downloads that nginx should send', () => {
  test('confirm that it sends them', async () => {
    expect(await diagnose('nginx', { files: root })).toEqual([{ code: 'handOverWorks' }])
  })

  test('detect another folder in the recipe, and name the right one', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'))
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    await chmod(elsewhere, 0o755)
    const [found, ...others] = await diagnose('nginx', { files: elsewhere })
    expect([found?.code, found?.what, others]).toEqual(['handOverFails', '/deep/er/other.txt: 404', []])
    expect(found?.lines).toContain(`nginx:   alias ${root}/;  disable_symlinks on from=${root};`)
  })

  test('detect a recipe that is not included', async () => {
    const [found] = await diagnose('nginx', {})
    expect([found?.code, found?.lines?.at(-1)]).toEqual(['handOverFails', 'nginx:   include nginx-files.conf;'])
  })

  // Without root, nginx runs as the owner of the files.
  test.runIf(isRoot)(
    'detect files in one folder that nginx may not read, and explain how to find the others',
    async () => {
      await chmod(join(root, 'deep'), 0o750)
      const [found, ...others] = await diagnose('nginx', { files: root })
      expect([found?.code, found?.what, others]).toEqual(['handOverFails', '/deep/er/other.txt: 403', []])
      expect(found?.lines?.[0]).toBe(`runuser -u www-data -- find ${root} ! -readable -print -quit`)
    },
  )

  test('report unrestricted access', async () => {
    const [found, ...others] = await diagnose('nginx', { files: root, slips: [['  internal;\n', '']] })
    expect([found?.code, found?.lines, others]).toEqual(['handOverOpen', ['nginx:   internal;'], []])
    expect(found?.what).toMatch(/^\/filigree-files\//)
  })

  test('detect missing headers, and return the lines that add them', async () => {
    const line = 'add_header Content-Security-Policy $upstream_http_content_security_policy always;'
    const found = await diagnose('nginx', { files: root, slips: [[line, '']] })
    expect(found).toEqual([{ code: 'handOverBare', what: 'Content-Security-Policy', lines: [`nginx:   ${line}`] }])
  })
})

test.runIf(isThere('Caddy'))('a proxy without support for sending files is detected', async () => {
  const [found, ...others] = await diagnose('Caddy', {})
  expect([found?.code, found?.what, others]).toEqual(['handOverFails', '/deep/er/other.txt: 206', []])
})

describe('the files under test', () => {
  const passedOn = { 'X-Forwarded-For': '192.0.2.7' }
  const tried = async (headers: Record<string, string>): Promise<HandedFile[]> =>
    json(await call(server, '/api/doctor/files', { token, headers }))

  test('are one of each of three folders, and none that is empty, large or out of the root', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    onTestFinished(() => rm(outside, { recursive: true, force: true }))
    await writeFile(join(outside, 'a.txt'), 'what nobody may see')
    await lay('a b?.txt', 'deep/one.txt', 'deep/two.txt', 'deep/er/other.txt')
    await symlink(join(outside, 'a.txt'), join(root, 'deep/0.txt'))
    await writeFile(join(root, 'deep/1.txt'), '')
    await writeFile(join(root, 'deep/2.txt'), Buffer.alloc(1024 ** 2 + 1))
    const files = await tried(passedOn)
    expect(files.map(({ path }) => path)).toEqual(['/a b?.txt', '/deep/one.txt', '/deep/er/other.txt'])
    expect(files[0]).toMatchObject({
      address: '/api/raw/a%20b%3F.txt?inline=true',
      place: `${LOCATION}a%20b%3F.txt`,
      size: 10,
    })
  })

  test('do not exist without a file, or without a proxy', async () => {
    expect(await tried({})).toEqual([])
    await lay()
    expect(await tried(passedOn)).toEqual([])
  })
})
