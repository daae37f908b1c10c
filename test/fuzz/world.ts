import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePath } from '../../shared/path.ts'
import { GOOD_PASSWORD, type Manager, manager, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { readDescription } from '../api/description.ts'
import type { Instance } from '../api/harness.ts'
import type { Aims, Who } from './attempt.ts'

/** A server whose accounts, settings and files can be reset. */
export interface World {
  aims: Aims
  /** The session of a user; `''` if signing in fails. */
  tokenOf(who: Who): Promise<string | undefined>
  /** Notes that a user's session has ended; the next caller gets a new one. */
  forgetToken(who: Who): void
  /** Resets everything; no request may be in flight. */
  restore(): Promise<void>
}

const BOSS = 'boss'
const POOR = 'poor'
const ALL = perm('admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download')

/** Values with which bodies are valid now and then. */
const LIKELY = {
  password: [GOOD_PASSWORD],
  current_password: [GOOD_PASSWORD],
  username: [...Array.from({ length: 30 }, (_none, index) => `u${index}`), BOSS],
  scope: ['/', '.', '/folder'],
  perm: [ALL, perm('download')],
  rules: [[], [{ regex: true, allow: false, path: '', regexp: { raw: 'x$' } }]],
  which: [[], ['all'], ['locale'], ['password'], ['perm', 'rules']],
  expires: ['1', 2],
  minimumPasswordLength: [1, 12],
}

const FILES: Readonly<Record<string, string | Buffer>> = {
  'a.txt': 'alpha',
  'film.mp4': 'no film',
  'film.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  'page.html': '<!doctype html><p>mine',
  'dot.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  ),
  'broken.jpg': Buffer.from('ffd8ffe000104a464946', 'hex'),
  'folder/inner.txt': 'inner',
  'folder/deep/er/x': 'x',
}

/** Creates a world on a fresh server; its first administrator resets it. */
export async function buildWorld(server: Instance): Promise<World> {
  const keeper = await manager(server)
  const settings = json(await keeper.settings())
  const world = { tokens: new Map<Who, Promise<string>>(), users: [0], links: ['none'] }
  const signedIn = (who: Who, name: string) => {
    const known = world.tokens.get(who) ?? signIn(server, name, GOOD_PASSWORD).catch(() => '')
    world.tokens.set(who, known)
    return known
  }
  const restore = async () => {
    await keeper.change(settings)
    world.users = await restorePeople(server, keeper)
    await restoreFiles(server, keeper)
    world.tokens.clear()
    world.links = await makeLinks(server, keeper)
  }
  await restore()
  const document = await readDescription(server)
  const paths = [...Object.keys(FILES), 'folder', 'folder/', 'link', 'away', ''].map(encodeURI)
  return {
    get aims() {
      return { document, paths, links: world.links, users: world.users, likely: { ...LIKELY, id: world.users } }
    },
    async tokenOf(who) {
      if (who === 'nobody') return undefined
      return signedIn(who, who === 'admin' ? BOSS : POOR)
    },
    forgetToken: who => void world.tokens.delete(who),
    restore,
  }
}

/** Deletes all users except the first administrator, and creates the two participants again. @returns their ids */
async function restorePeople(server: Instance, keeper: Manager): Promise<number[]> {
  const allUsers: { id: number; username: string }[] = json(await keeper.list())
  for (const { id } of allUsers) if (id !== 1) await keeper.remove(id)
  const boss = await keeper.add(BOSS, { perm: ALL })
  const poor = await keeper.add(POOR, {
    perm: perm('create', 'download', 'share'),
    rules: [{ regex: false, allow: false, path: '/folder/deep', regexp: null }],
    hideDotfiles: true,
  })
  if (json(await call(server, `/api/users/${boss}`, { token: keeper.token })).username !== BOSS) {
    throw new Error('The accounts could not be brought back.')
  }
  return [boss, poor]
}

/** Deletes what was created, over the API as a user would, and restores the tree. */
async function restoreFiles(server: Instance, { token }: Manager): Promise<void> {
  const { items } = json(await call(server, '/api/resources/', { token }))
  for (const { path } of items as { path: string }[]) {
    await call(server, `/api/resources${encodePath(path)}`, { method: 'DELETE', token })
  }
  await mkdir(join(server.root, 'folder/deep/er'), { recursive: true })
  for (const [path, content] of Object.entries(FILES)) await writeFile(join(server.root, path), content)
  await symlink('folder', join(server.root, 'link')).catch(() => undefined)
  await symlink('/etc', join(server.root, 'away')).catch(() => undefined)
}

async function makeLinks(server: Instance, { token }: Manager): Promise<string[]> {
  const make = async (path: string, body: object) =>
    json(await send(server, 'POST', `/api/share${path}`, token, body)).hash
  return [await make('/a.txt', {}), await make('/folder/', {}), await make('/folder/', { password: 'open' }), 'none']
}
