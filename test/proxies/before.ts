import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnServer, type StartOptions, startServer } from '../api/harness.ts'
import { makeCertificate, PREFIX, PROXY_NAMES, startProxy, trust, WAYS } from './proxies.ts'

/**
 * A server behind a proxy, under the prefix of the recipes: its URL is that of the proxy, whose certificate this
 * process trusts from then on.
 * @param named the proxy and what it does with the prefix, such as `nginx kept`; with `narrow` after it, WebSockets are
 *   blocked
 */
export async function startBehind(named: string, options: StartOptions): Promise<OwnServer> {
  const words = named.split(' ')
  const name = PROXY_NAMES.find(known => known === words[0])
  const way = WAYS.find(known => known === words[1])
  if (!name || !way) throw new Error(`There is no proxy '${named}'.`)
  const args = ['--trustedProxies', '127.0.0.1', ...(way === 'stripped' ? ['--prefixStripped'] : [])]
  const server = await startServer({ ...options, base: PREFIX, args: [...args, ...(options.args ?? [])] })
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const certificate = await makeCertificate(folder)
  await trust(certificate)
  const hurdles = words[2] === 'narrow' ? (['sockets'] as const) : []
  const proxy = await startProxy(name, way, { target: server, certificate, hurdles })
  return {
    ...server,
    url: `${proxy.origin}${PREFIX}`,
    async stop() {
      await proxy.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
