import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { type Context, createContext } from '../../server/context.ts'
import { addUser, BLANK_USER, type NewUser } from '../../server/features/users/users.store.ts'
import { buildApp } from '../../server/http/app.ts'
import { openLog } from '../../server/http/log.ts'
import { listRoutes } from '../../server/http/routes.ts'
import type { Route } from '../../server/routing/route.ts'
import type { User } from '../../shared/api/users.ts'
import { emptyInBucket, inBucket, listedInBucket, servedAs, storeKeys } from '../api/bucket.ts'
import { dropOwnDatabase, makeHome, ownDatabase, uniqueName } from '../api/harness.ts'
import { type Manifest, snapshot } from '../api/snapshot.ts'
import { DENIED_MARKER, OUTSIDE_MARKER, plant } from '../api/tree.ts'

export interface Ask {
  method: string
  target: string
  token?: string | undefined
  headers?: Record<string, string>
  body?: string | undefined
  /** The address of the client, one of this machine; wrong API tokens are counted by it. */
  from?: string
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** The content of `/a.txt`. */
export const CONTENT = 'CONTENT-5d1e'
/** Password hashes, tables of calls, and the details of a thrown error. */
const INSIDES = /\$argon2|\$2[aby]\$|\n\s+at \S+ ?\(?\S*:\d+:\d+|node:internal|node_modules|SqliteError/

/** A server in this process, with a tree of files that must never be disclosed. */
export interface World {
  context: Context
  routes: readonly Route[]
  server: Server
  port: number
  /** Holds the served folder, and further roots. */
  home: string
  /** The served folder. */
  root: string
  outside: string
  ask(ask: Ask): Promise<Reply>
  /** Responses so far, and the leaks in them. */
  seen: { answers: number; leaks: string[] }
  /** Creates a user whose scope is the whole root. */
  enrol(fields: Partial<NewUser>): Promise<User>
  /** Creates a user and a session for them, without a password. */
  signIn(fields: Partial<NewUser>): Promise<string>
  /** A snapshot of the served folder and its siblings. */
  manifest(): Promise<Manifest[]>
  /** Restores the tree. */
  restore(): Promise<void>
}

/** Opens a world for one file of tests; it ends with the file. @param roots names of further roots, next to the served one */
export async function openWorld(roots: readonly string[] = []): Promise<World> {
  const home = await makeHome()
  for (const name of roots) await mkdir(join(home, name))
  const root = await realpath(join(home, 'srv'))
  const database = await ownDatabase(home)
  const state = ['--database', database, '--cacheDir', join(home, 'cache'), '--log', join(home, 'log')]
  const flags = ['--root', await servedAs(root), ...state, '--disableExec=false', '--execSandbox=none']
  const further = roots.map(name => `${name}=${join(home, name)}`).join(';')
  const config = readConfig(flags, { ...storeKeys(), ...(further !== '' && { FILIGREE_ROOTS: further }) })
  const context = await createContext(config)
  const app = await buildApp(context, openLog(config))
  await context.startWork()
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const agent = new Agent({ keepAlive: true })
  afterAll(async () => {
    agent.destroy()
    await app.close()
    await context.close()
    await dropOwnDatabase(database)
    await rm(home, { recursive: true, force: true })
  })
  const seen = { answers: 0, leaks: [] as string[] }
  const hidden = [OUTSIDE_MARKER, DENIED_MARKER, home, Buffer.from(context.ticketKey).toString('base64')]
  hidden.push(...Object.values(storeKeys()))
  const enrol = (fields: Partial<NewUser>) =>
    addUser(context.db, { ...BLANK_USER, username: uniqueName('u'), passwordHash: 'none', ...fields })
  const world: World = {
    context,
    routes: listRoutes(context),
    server: app.server,
    port: Number(port),
    home,
    root,
    outside: join(home, 'outside'),
    seen,
    async ask(ask) {
      const reply = await send(Number(port), agent, ask)
      seen.answers += 1
      const whole = `${JSON.stringify(reply.headers)}\n${reply.text}`
      const leak = hidden.find(text => whole.includes(text)) ?? INSIDES.exec(whole)?.[0]
      if (leak !== undefined) seen.leaks.push(`${ask.method} ${ask.target}: ${leak}`)
      return reply
    },
    enrol,
    signIn: async fields => context.sessions.start(await enrol(fields)),
    manifest: async () => [
      await (inBucket ? listedInBucket(root) : snapshot(root)),
      await snapshot(join(home, 'outside')),
    ],
    async restore() {
      if (inBucket) await emptyInBucket(root)
      else for (const name of await readdir(root)) await rm(join(root, name), { recursive: true, force: true })
      await rm(join(home, 'outside'), { recursive: true, force: true })
      await plant(home, root)
      await writeFile(join(root, 'a.txt'), CONTENT)
      await mkdir(join(root, 'empty'))
    },
  }
  await world.restore()
  return world
}

/** Sends a raw target, over a connection that is reused. */
function send(port: number, agent: Agent, { method, target, token, headers, body, from }: Ask): Promise<Reply> {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const sent = { ...length, ...headers, ...(token === undefined ? {} : { 'X-Auth': token }) }
  return new Promise((resolve, reject) => {
    const host = { host: '127.0.0.1', port, ...(from !== undefined && { localAddress: from }) }
    const call = request({ ...host, agent, method, path: target, headers: sent }, answer => {
      buffer(answer).then(
        bytes => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: bytes.toString('latin1') }),
        reject,
      )
    })
    call.once('error', reject)
    call.end(body)
  })
}

/** Each call of a route: its method and its name in the tables. */
export const callsOf = (routes: readonly Route[]) =>
  routes.flatMap(route => [route.method].flat().map(method => ({ method, route, name: `${method} ${route.path}` })))
