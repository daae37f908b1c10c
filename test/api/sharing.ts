import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Grant, ReceivedGrants } from '../../shared/api/grants.ts'
import { manager, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'
import { newSharer } from './sharers.ts'

export const SHARED = '/Shared with me'
export const VIEW = ['download']
export const EDIT = ['download', 'create', 'rename', 'modify', 'delete']

export type Sharer = Awaited<ReturnType<typeof newSharer>>

/** A server with three users, who share folders with each other through `/api/grants`. */
export async function openSharing() {
  const server = await openInstance()
  const admin = await manager(server)

  const give = (from: Sharer, path: string, to: object, rights = VIEW, more: object = {}) =>
    send(server, 'POST', '/api/grants', from.token, { path, to, rights, ...more })
  const toUser = ({ id }: Sharer) => ({ kind: 'user', id: String(id) })
  const received = async ({ token }: Sharer): Promise<ReceivedGrants> =>
    json(await send(server, 'GET', '/api/grants/received', token))
  const namesIn = async ({ files }: Sharer, path: string) =>
    json(await files.get(path)).items.map(({ name }: { name: string }) => name)
  const move = ({ token }: Pick<Sharer, 'token'>, action: 'copy' | 'rename', from: string, to: string) =>
    call(server, `/api/resources${encode(from)}?action=${action}&destination=${encodeURIComponent(encode(to))}`, {
      method: 'PATCH',
      token,
    })

  async function groupOf(...users: Sharer[]): Promise<{ kind: 'group'; id: string }> {
    const group = json(
      await send(server, 'POST', '/api/groups', admin.token, {
        ...{ name: uniqueName('g'), description: '', perm: {}, rules: [] },
      }),
    )
    for (const { id } of users) await send(server, 'PUT', `/api/groups/${group.id}/members/${id}`, admin.token)
    return { kind: 'group', id: group.id }
  }

  const [giver, taker, stranger] = await Promise.all([1, 2, 3].map(() => newSharer(server, admin)))
  if (!giver || !taker || !stranger) throw new Error('there are no users')
  let folders = 0

  /** What newcomers have, in a folder of its own in the home of a user. @returns its name */
  async function newFolder({ home }: Sharer): Promise<string> {
    folders += 1
    const name = `docs-${folders}-of-${uniqueName('f')}`
    await mkdir(join(home, name, 'sub'), { recursive: true })
    for (const path of ['one.txt', 'sub/two.txt', '.dot']) await writeFile(join(home, name, path), path)
    return name
  }

  /** One user shares a new folder with another. */
  async function pair(rights = VIEW, how: { to?: 'user' | 'group'; ann?: Sharer } = {}) {
    const { to = 'user', ann = giver as Sharer } = how
    const bob = taker as Sharer
    const name = await newFolder(ann)
    const answer = await give(ann, `/${name}`, to === 'user' ? toUser(bob) : await groupOf(ann, bob), rights)
    expect(answer.status).toBe(201)
    const grant: Grant = json(answer)
    return { ann, bob, grant, name, at: `${SHARED}/${name}`, disk: join(ann.home, name) }
  }
  return { server, admin, give, toUser, received, namesIn, move, groupOf, pair, newFolder, giver, taker, stranger }
}
