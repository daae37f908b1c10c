import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Person, person } from '../api/client.ts'
import { launch, makeHome, type OwnServer, type StartOptions, startServer } from '../api/harness.ts'
import { startNginx } from '../faults/nginx.ts'

/** Servers that share a database and a folder, and the proxy in front of them. */
export interface Instances {
  servers: OwnServer[]
  balancer: Awaited<ReturnType<typeof startNginx>>
  owner: Person
  /** A client of one of the servers that knows only the load balancer. */
  behind: OwnServer
  /** Kills a server with SIGKILL. */
  kill(index: number): Promise<void>
  /** Starts a new one in the place of a killed one. */
  replace(index: number): Promise<void>
}

/** Starts servers on one database and one folder behind nginx; all end with the test. */
export async function startInstances(
  database: string,
  roles: readonly ('all' | 'web' | 'worker')[] = ['all', 'all', 'all'],
): Promise<Instances> {
  const home = await makeHome()
  onTestFinished(() => rm(home, { recursive: true }))
  const root = join(home, 'srv')
  const start = async (index: number, how: StartOptions = {}) =>
    startServer({ database, root, args: ['--roles', roles[index] ?? 'all'], ...how })
  const servers: OwnServer[] = []
  for (const index of roles.keys()) servers.push(await start(index))
  onTestFinished(async () => {
    await Promise.all(servers.map(server => server.stop()))
  })
  const fronts = servers.filter((_, index) => roles[index] !== 'worker')
  const [first] = fronts
  if (!first) throw new Error('No server answers.')
  const balancer = await startNginx(
    fronts.map(({ url }) => url),
    { body: '0', patience: '60s' },
  )
  onTestFinished(() => balancer.stop())
  const behind = { ...first, url: balancer.url }
  return {
    servers,
    balancer,
    behind,
    owner: await person(behind),
    async kill(index) {
      await servers[index]?.end('SIGKILL')
    },
    async replace(index) {
      const { home, port } = servers[index] ?? first
      servers[index] = await start(index, { home, args: ['--roles', roles[index] ?? 'all', '--port', String(port)] })
    },
  }
}

/** The events about a folder that a user receives. */
export function listen(
  server: Pick<OwnServer, 'url'>,
  { token }: Pick<Person, 'token'>,
  folder: string,
): { text: string } {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const heard = { text: '' }
  const reading = async () => {
    const headers = { 'X-Auth': token }
    const stream = await fetch(`${server.url}/api/events?folder=${folder}`, { headers, signal: stop.signal })
    for await (const piece of stream.body ?? []) heard.text += Buffer.from(piece).toString()
  }
  void reading().catch(() => {})
  return heard
}

/** Starts the program and waits for its end. */
export async function toItsEnd(args: string[]): Promise<{ code: number | string; output: string }> {
  const run = launch(args)
  const code = await run.ended
  return { code, output: run.output() }
}
