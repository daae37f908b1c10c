import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrashPage } from '../../shared/api/trash.ts'
import { type Answer, call, json, type Person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'

/** A server that restarts after each kill, and a session, which survives. */
export interface Visitor {
  server: OwnServer
  owner: Pick<Person, 'token'>
}

export interface Visit extends Visitor {
  /** The folder in which it works: on this machine, and `''` or the path of the mount that it is. */
  disk: string
  at: string
}

/** An operation on the trash, ready to be called. @returns the statuses, or codes of results, that were reported */
export interface TrashOperation {
  act(visit: Visit): Promise<readonly (number | string)[]>
  /** Contents that it may delete for good. */
  ends: readonly string[]
}

const post = ({ server, owner }: Visitor, path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  return call(server, path, { method: 'POST', token: owner.token, headers, body: JSON.stringify(body) })
}

export const trashOf = async ({ server, owner }: Visitor): Promise<TrashPage> =>
  json(await call(server, '/api/trash', { token: owner.token }))

/** Calls a route of the trash. @returns the state or the code of each result; the status of a refusal */
export async function resultsOf(visit: Visitor, path: string, body: object): Promise<(number | string)[]> {
  const answer = await post(visit, path, body)
  if (answer.status !== 200) return [answer.status]
  return json(answer).results.map(({ state, code }: { state: string; code?: string }) => code ?? state)
}

const deleteAt = ({ server, owner, at }: Visit, path: string) =>
  call(server, `/api/resources${at}${path}`, { method: 'DELETE', token: owner.token })

const remove = async (visit: Visit, path: string) => [(await deleteAt(visit, path)).status]

/** Plants a tree whose files have contents of their own. */
async function plantTree({ disk }: Visit, top: string): Promise<string[]> {
  const names = ['a.txt', 'deep/b.txt', 'deep/deeper/c.txt'].map(name => `${top}/${name}`)
  for (const name of names) {
    await mkdir(join(disk, name, '..'), { recursive: true })
    await writeFile(join(disk, name), name)
  }
  await symlink('a.txt', join(disk, top, 'link'))
  return names
}

/** Plants a tree and deletes it. @returns its id in the trash */
async function deletedTree(visit: Visit, top: string): Promise<string> {
  await plantTree(visit, top)
  return (await deleteAt(visit, `/${top}`)).headers.get('X-Kept') ?? ''
}

/** Empties the trash by a job. @returns the state of the job */
async function empty({ server, owner }: Visit): Promise<(number | string)[]> {
  const answer = await post({ server, owner }, '/api/trash/empty', {})
  if (answer.status !== 202) return [answer.status]
  const job = await jobsOf(server, owner).ended(json(answer).id)
  return [job.state]
}

const changeOf = (answer: Pick<Answer, 'headers'>) => answer.headers.get('X-Change') ?? ''

/** Every operation by its name, prepared at a name of its own. */
export const TRASH_OPERATIONS: Readonly<Record<string, (visit: Visit, top: string) => Promise<TrashOperation>>> = {
  async 'delete a file'({ disk }, top) {
    await writeFile(join(disk, `${top}.txt`), top)
    return { act: now => remove(now, `/${top}.txt`), ends: [] }
  },
  async 'delete a tree'(visit, top) {
    await plantTree(visit, top)
    return { act: now => remove(now, `/${top}`), ends: [] }
  },
  async 'delete a link'({ disk }, top) {
    await symlink(`target of ${top}`, join(disk, `${top}-link`))
    return { act: now => remove(now, `/${top}-link`), ends: [] }
  },
  async 'restore a tree'(visit, top) {
    const id = await deletedTree(visit, top)
    return { act: now => resultsOf(now, '/api/trash/restore', { items: [{ id }] }), ends: [] }
  },
  async 'restore over a file'(visit, top) {
    await writeFile(join(visit.disk, `${top}.txt`), `old ${top}`)
    const id = (await deleteAt(visit, `/${top}.txt`)).headers.get('X-Kept')
    await writeFile(join(visit.disk, `${top}.txt`), `new ${top}`)
    return {
      act: now => resultsOf(now, '/api/trash/restore', { items: [{ id }], conflict: 'replace' }),
      ends: [],
    }
  },
  async 'restore a part of a tree'(visit, top) {
    const id = await deletedTree(visit, top)
    return {
      act: now => resultsOf(now, '/api/trash/restore', { items: [{ id, inner: '/deep' }] }),
      ends: [],
    }
  },
  async 'purge a tree'(visit, top) {
    const id = await deletedTree(visit, top)
    const ends = ['a.txt', 'deep/b.txt', 'deep/deeper/c.txt', 'link -> a.txt'].map(name => `${top}/${name}`)
    return { act: now => resultsOf(now, '/api/trash/purge', { ids: [id] }), ends }
  },
  async 'empty the trash'(visit, top) {
    await deletedTree(visit, top)
    const ends = ['a.txt', 'deep/b.txt', 'deep/deeper/c.txt', 'link -> a.txt'].map(name => `${top}/${name}`)
    return { act: empty, ends }
  },
  async 'undo a deletion'(visit, top) {
    await plantTree(visit, top)
    const id = changeOf(await deleteAt(visit, `/${top}`))
    return { act: now => resultsOf(now, `/api/changes/${id}/undo`, {}), ends: [] }
  },
  async 'undo a restore'(visit, top) {
    const kept = await deletedTree(visit, top)
    const id = changeOf(await post(visit, '/api/trash/restore', { items: [{ id: kept }] }))
    return { act: now => resultsOf(now, `/api/changes/${id}/undo`, {}), ends: [] }
  },
  async 'undo a move'(visit, top) {
    await plantTree(visit, top)
    const query = new URLSearchParams({ action: 'rename', destination: `${visit.at}/${top}-moved` })
    const address = `/api/resources${visit.at}/${top}?${query}`
    const moved = await call(visit.server, address, { method: 'PATCH', token: visit.owner.token })
    return { act: now => resultsOf(now, `/api/changes/${changeOf(moved)}/undo`, {}), ends: [] }
  },
  async 'undo a copy'(visit, top) {
    await plantTree(visit, top)
    const query = new URLSearchParams({ action: 'copy', destination: `${visit.at}/${top}-copied` })
    const address = `/api/resources${visit.at}/${top}?${query}`
    const copied = await call(visit.server, address, { method: 'PATCH', token: visit.owner.token })
    return { act: now => resultsOf(now, `/api/changes/${changeOf(copied)}/undo`, {}), ends: [] }
  },
}

/** The contents of files and the targets of links, by what they are; of the tree and of the area. */
export async function contentsIn(root: string): Promise<{ tree: string[]; area: string[]; kept: string[] }> {
  const tree: string[] = []
  const area: string[] = []
  const kept: string[] = []
  const walk = async (folder: string, into: string[]): Promise<void> => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      const stat = await lstat(path)
      if (stat.isDirectory()) await walk(path, into)
      else into.push(stat.isSymbolicLink() ? `link -> ${await readlink(path)}` : await readFile(path, 'utf8'))
    }
  }
  for (const name of await readdir(root)) {
    const path = join(root, name)
    if (!name.startsWith('.filigree-')) {
      if ((await lstat(path)).isDirectory()) await walk(path, tree)
      else
        tree.push(
          (await lstat(path)).isSymbolicLink() ? `link -> ${await readlink(path)}` : await readFile(path, 'utf8'),
        )
      continue
    }
    const files = join(path, 'trash/files')
    // A server that was killed while it made an area leaves one without folders.
    if (!existsSync(files)) continue
    kept.push(...(await readdir(files)))
    await walk(files, area)
  }
  return { tree: tree.sort(), area: area.sort(), kept }
}
