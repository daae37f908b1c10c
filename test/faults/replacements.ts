import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job, JobRequest } from '../../shared/api/jobs.ts'
import type { VersionsPage } from '../../shared/api/versions.ts'
import { type Answer, call, encode, json, type Person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import type { Corner } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { tusOf } from '../api/tus.ts'

const sendJson = (server: OwnServer, { token }: Person, path: string, body: object) =>
  call(server, path, {
    method: 'POST',
    token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

export const save = (server: OwnServer, owner: Person, path: string, content: string): Promise<Answer> =>
  call(server, `/api/resources${path}`, { method: 'PUT', token: owner.token, body: content })

export const pageOf = async (server: OwnServer, owner: Person, path: string): Promise<VersionsPage> =>
  json(await call(server, `/api/versions${path}`, { token: owner.token }))

/** The contents of the versions of a file, the newest first. */
export const textsOf = async (server: OwnServer, owner: Person, path: string): Promise<string[]> => {
  const { items } = await pageOf(server, owner, path)
  const answers = items.map(({ id }) => call(server, `/api/kept/raw/${id}`, { token: owner.token }))
  return (await Promise.all(answers)).map(({ text }) => text)
}

export const restore = (server: OwnServer, owner: Person, path: string, id: string | undefined) =>
  sendJson(server, owner, `/api/versions${path}`, { id, how: 'replace' })

export const undo = (server: OwnServer, owner: Person, id: string | null | undefined) =>
  sendJson(server, owner, `/api/changes/${id}/undo`, {})

const transfer = (server: OwnServer, { token }: Person, action: string, from: string, to: string): Promise<Answer> =>
  call(server, `/api/resources${from}?action=${action}&destination=${encodeURIComponent(encode(to))}&override=true`, {
    method: 'PATCH',
    token,
  })

/** Moves `from` over `to`. */
export const moveOver = (server: OwnServer, owner: Person, from: string, to: string): Promise<Answer> =>
  transfer(server, owner, 'rename', from, to)

/** Copies `from` over `to`. */
export const copyOver = (server: OwnServer, owner: Person, from: string, to: string): Promise<Answer> =>
  transfer(server, owner, 'copy', from, to)

/** A way to replace the file `a.txt` of a folder, which has the content `old`. */
export interface Replacement {
  old: string
  made: string
  act(server: OwnServer, owner: Person): Promise<Answer | Job>
  /** After a restart, for what the client or the server then continues: the file is replaced once it settles. */
  resume?(server: OwnServer, owner: Person): Promise<unknown>
  /** The names in the folder while it has a content. */
  names(now: string): string[]
}

const only = () => ['a.txt']
const both = () => ['a.txt', 'b.txt']
/** Of a move of `b.txt`. */
const moved = (now: string) => (now === 'two' ? ['a.txt'] : ['a.txt', 'b.txt'])

type Prepare = (server: OwnServer, owner: Person, corner: Corner) => Promise<Replacement>

/** A job that replaces the file, and resumes after a restart. */
const byJob = async (
  { disk, path }: Corner,
  kind: 'copy' | 'move' | 'extract',
  names: Replacement['names'],
  from = 'b.txt',
): Promise<Replacement> => {
  const item = { from: `${path}/${from}`, to: kind === 'extract' ? path : `${path}/a.txt` }
  const request: Partial<JobRequest> = { kind, items: [item], conflict: 'replace' }
  if (kind !== 'extract') await writeFile(join(disk, from), 'two')
  return {
    ...{ old: 'one', made: 'two', names },
    act: (server, owner) => jobsOf(server, owner).run(request),
    async resume(server, owner) {
      const jobs = jobsOf(server, owner)
      const begun: { id: string }[] = json(await jobs.list())
      for (const { id } of begun) {
        await jobs.ended(id)
        await jobs.forget(id)
      }
      // The kill came before the job was recorded, or after its end.
      if (begun.length === 0 && (await readFile(join(disk, 'a.txt'), 'utf8')) !== 'two') await jobs.run(request)
    },
  }
}

/** Every way of a request to replace a file, prepared in a folder where the file is `one`. */
export const REPLACEMENTS: Readonly<Record<string, Prepare>> = {
  save: async (_server, _owner, { path }) => ({
    ...{ old: 'one', made: 'two', names: only },
    act: (now, who) => save(now, who, `${path}/a.txt`, 'two'),
  }),
  'upload by POST': async (_server, _owner, { path }) => ({
    ...{ old: 'one', made: 'two', names: only },
    act: (now, { token }) =>
      call(now, `/api/resources${path}/a.txt?override=true`, { method: 'POST', token, body: 'two' }),
  }),
  async 'resumable upload'(_server, _owner, { disk, path }) {
    const file = `${path}/a.txt`
    const upload = async (server: OwnServer, owner: Person) => {
      await tusOf(server, owner).create(file, 3, { query: '?override=true' })
      return tusOf(server, owner).patch(file, 0, 'two')
    }
    return {
      ...{ old: 'one', made: 'two', names: only, act: upload },
      async resume(server, owner) {
        const tus = tusOf(server, owner)
        const state = await tus.head(file)
        const offset = Number(state.headers.get('upload-offset'))
        if (state.status === 200 && offset < 3) await tus.patch(file, offset, 'two'.slice(offset))
        // The kill came before the upload was recorded, or after it was complete.
        else if ((await readFile(join(disk, 'a.txt'), 'utf8')) !== 'two') await upload(server, owner)
      },
    }
  },
  async copy(_server, _owner, { disk, path }) {
    await writeFile(join(disk, 'b.txt'), 'two')
    return {
      ...{ old: 'one', made: 'two', names: both },
      act: (now, who) => copyOver(now, who, `${path}/b.txt`, `${path}/a.txt`),
    }
  },
  async move(_server, _owner, { disk, path }) {
    await writeFile(join(disk, 'b.txt'), 'two')
    return {
      ...{ old: 'one', made: 'two', names: moved },
      act: (now, who) => moveOver(now, who, `${path}/b.txt`, `${path}/a.txt`),
    }
  },
  async restore(server, owner, { path }) {
    const file = `${path}/a.txt`
    await save(server, owner, file, 'two')
    const { items } = await pageOf(server, owner, file)
    const act = (now: OwnServer, who: Person) => restore(now, who, file, items[0]?.id)
    return { old: 'two', made: 'one', names: only, act }
  },
  async undo(server, owner, { path }) {
    const { headers } = await save(server, owner, `${path}/a.txt`, 'two')
    const act = (now: OwnServer, who: Person) => undo(now, who, headers.get('X-Change'))
    return { old: 'two', made: 'one', names: only, act }
  },
  'job that copies': (_server, _owner, corner) => byJob(corner, 'copy', both),
  'job that moves': (_server, _owner, corner) => byJob(corner, 'move', moved),
  async 'job that extracts'(server, owner, corner) {
    const { disk, path } = corner
    await writeFile(join(disk, 'a.txt'), 'two')
    const archive = { to: `${path}/b.zip`, format: 'zip' }
    await jobsOf(server, owner).run({ kind: 'archive', items: [{ from: `${path}/a.txt` }], archive })
    await writeFile(join(disk, 'a.txt'), 'one')
    return byJob(corner, 'extract', () => ['a.txt', 'b.zip'], 'b.zip')
  },
}
