import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { probeTarget } from '../../server/cli/doctor/ask.ts'
import type { Finding } from '../../shared/api/diagnostics.ts'
import { probeTimeouts, SLOW_SECONDS } from '../../shared/diagnostics/probe-timeouts.ts'
import { signIn } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serveOnce } from '../cli/console.ts'
import { commandsIn, follow, layOut } from '../docs/follow.ts'
import {
  type Hurdle,
  isThere,
  makeCertificate,
  PREFIX,
  PROXY_NAMES,
  type ProxyName,
  startProxy,
  trust,
} from './proxies.ts'

const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const certificate = await makeCertificate(folder)
const trusting = await trust(certificate)

const serve = () => serveOnce({ base: PREFIX, args: ['--trustedProxies', '127.0.0.1'] })

/** The URL of a proxy in front of a server, until the test ends. */
async function addressOf(name: ProxyName, target: OwnServer, hurdles: readonly Hurdle[] = []): Promise<string> {
  const proxy = await startProxy(name, 'kept', { target, certificate, hurdles })
  onTestFinished(() => proxy.stop())
  return `${proxy.origin}${PREFIX}`
}

const NAMES = PROXY_NAMES.filter(isThere)
/** The finding about a proxy with a default timeout of a minute. */
const BY_HABIT: Readonly<Record<ProxyName, Partial<Finding>>> = {
  nginx: { code: 'silenceStopped', what: '504' },
  Caddy: { code: 'waitsPass' },
  Apache: { code: 'silenceStopped', what: '502' },
  HAProxy: { code: 'silenceStopped', what: '504' },
}

test('responses of more than a minute succeed with the recipes, and without them the doctor reports it', async () => {
  const servers = await Promise.all(NAMES.map(serve))
  const outcomes = NAMES.map(async (name, index) => {
    const server = servers[index]
    if (!server) return
    const token = await signIn(server)
    const diagnose = async (hurdles: readonly Hurdle[]) =>
      probeTimeouts(probeTarget(await addressOf(name, server, hurdles), token).ask)
    const [byRecipe, byHabit] = await Promise.all([diagnose([]), diagnose(['patience'])])
    expect([name, byRecipe]).toEqual([name, [{ code: 'waitsPass', amount: SLOW_SECONDS }]])
    expect([name, byHabit]).toMatchObject([name, [BY_HABIT[name]]])
  })
  await Promise.all(outcomes)
})

test.runIf(isThere('HAProxy'))('the guide shows how to test slow responses', async () => {
  const server = await serve()
  const written = commandsIn('docs/reverse-proxy.md').find(text => text.includes('--token')) ?? ''
  const commands = layOut(written, [[`https://files.example.org${PREFIX}`, await addressOf('HAProxy', server)]])
  const { root, database, home } = server
  const env = { ...trusting, TOKEN: await signIn(server), FILIGREE_ROOT: root, FILIGREE_DATABASE: database }
  expect(await follow(home, commands, { env })).toBe('fine')
})
