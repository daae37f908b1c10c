import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { type Context, createContext } from '../../server/context.ts'
import type { TokenOptions } from '../../server/features/tokens/tokens.ts'
import { buildApp } from '../../server/http/app.ts'
import { openLog } from '../../server/http/log.ts'
import { parsePath } from '../../shared/path.ts'
import { GOOD_PASSWORD, type Manager, manager, perm } from '../api/accounts.ts'
import { type Place, signIn } from '../api/client.ts'
import { ADMIN_PASSWORD, makeHome, uniqueName } from '../api/harness.ts'
import { type RawAnswer, rawRequest } from '../api/raw.ts'

export interface DavPlace {
  context: Context
  server: Place
  admin: Manager
  /** The served folder. */
  root: string
  /** Of WebDAV, without a trailing slash. */
  url: string
  log: string
  /** One request of an account; the administrator's unless another is given. */
  dav(method: string, path: string, more?: DavRequest): Promise<RawAnswer>
}

export interface DavRequest {
  headers?: Record<string, string>
  body?: string | Buffer
  /** Name and password; `false` for none. */
  user?: readonly [string, string] | false
}

export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

/** A server in this process with WebDAV, for one file of tests. */
export async function openDav(...flags: string[]): Promise<DavPlace> {
  const home = await makeHome()
  const root = join(home, 'srv')
  const log = join(home, 'log')
  const given = ['--root', root, '--database', join(home, 'f.db'), '--port', '0', '--log', log, ...flags]
  const config = readConfig(given, { FILIGREE_ADMIN_PASSWORD: ADMIN_PASSWORD })
  const context = await createContext(config)
  await context.makeFirstAdmin()
  const app = await buildApp(context, openLog(config))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(async () => {
    await app.close()
    await context.close()
    await rm(home, { recursive: true, force: true })
  })
  const { hostname: host, port } = new URL(address)
  const base = config.baseURL
  const server: Place = { url: `${address}${base}`, adminPassword: ADMIN_PASSWORD }
  const dav: DavPlace['dav'] = (method, path, { headers, body, user = ['admin', ADMIN_PASSWORD] } = {}) =>
    rawRequest(
      { host, port: Number(port) },
      {
        method,
        target: `${base}/dav${path}`,
        headers: { ...(user && { Authorization: basic(user[0], user[1]) }), ...headers },
        ...(body !== undefined && { body }),
      },
    )
  return { context, server, admin: await manager(server), root, url: `${server.url}/dav`, log, dav }
}

/** A new account with all rights on files. */
export async function account({ server, admin }: DavPlace, fields: object = {}) {
  const name = uniqueName('user')
  const rights = perm('create', 'rename', 'modify', 'delete', 'share', 'download')
  const id = await admin.add(name, { perm: rights, scope: '.', ...fields })
  return { id, name, user: [name, GOOD_PASSWORD] as const, session: await signIn(server, name, GOOD_PASSWORD) }
}

/** A new API token of an account. @returns its secret */
export async function makeToken({ context }: DavPlace, userId: number, more: Partial<TokenOptions> = {}) {
  const options = { label: 'dav', scopes: ['write'], folders: [], networks: [], expiresAt: null } as const
  return context.tokens.create(userId, { ...options, ...more })
}

/** What confines a token to a folder. */
export const inFolder = (path: string) => ({ path: parsePath(path), canonical: parsePath(path), identity: '' })

/** A request with a token as the password. */
export const withToken = (secret: string) => ({ user: ['any', secret] as const })
