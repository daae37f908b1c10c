import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ChangeDetails } from '../../shared/api/changes.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { size } from './sizes.ts'

const FILES = size('UNDO_STEPS', 120)
/** Milliseconds for all of it. */
const PATIENCE = 180_000 + FILES * 500
const NAMES = Array.from({ length: FILES }, (_, n) => `${n}.txt`)

async function plant(root: string): Promise<void> {
  for (const folder of ['deleted', 'from', 'to']) await mkdir(join(root, folder))
  for (const name of NAMES) {
    await writeFile(join(root, 'deleted', name), name)
    await writeFile(join(root, 'from', name), name)
  }
}

async function undo(server: OwnServer, { token }: Person, id: string) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await call(server, `/api/changes/${id}/undo`, { method: 'POST', token, headers, body: '{}' })
  expect(answer.status).toBe(202)
  return json(answer).id as string
}

const names = async (server: OwnServer, folder: string) => (await readdir(join(server.root, folder))).sort()

/** The files whose content is not the one they were planted with. */
async function wrong(server: OwnServer, folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await names(server, folder)) {
    if ((await readFile(join(server.root, folder, name), 'utf8')) !== name) found.push(name)
  }
  return found
}

test(
  'JRNL-03 an undo of many steps that is killed in the middle resumes, and one that is cancelled keeps what is done',
  async () => {
    let server = await startServer({ prepare: ({ root }) => plant(root) })
    onTestFinished(() => server.stop())
    const owner = await person(server)
    const jobs = () => jobsOf(server, owner)
    const deleted = await jobs().run({ kind: 'delete', items: NAMES.map(name => ({ from: `/deleted/${name}` })) })
    const moved = await jobs().run({
      kind: 'move',
      items: NAMES.map(name => ({ from: `/from/${name}`, to: `/to/${name}` })),
    })
    const undone = [await undo(server, owner, deleted.change ?? ''), await undo(server, owner, moved.change ?? '')]
    for (const moment of [100, 200]) {
      // Late enough to meet the undo in the middle, however much there is.
      await new Promise(resolve => setTimeout(resolve, (moment * Math.max(FILES, 500)) / 500))
      await server.end('SIGKILL')
      server = await startServer({ home: server.home, root: server.root })
    }
    for (const id of undone) {
      expect((await jobs().ended(id)).count).toMatchObject({ total: FILES, failed: 0 })
    }
    expect(await names(server, 'deleted')).toEqual([...NAMES].sort())
    expect(await names(server, 'from')).toEqual([...NAMES].sort())
    expect([await wrong(server, 'deleted'), await wrong(server, 'from')]).toEqual([[], []])
    const change: ChangeDetails = json(await call(server, `/api/changes/${moved.change}`, { token: owner.token }))
    expect(change).toMatchObject({ state: 'undone' })

    const again = await undo(server, owner, change.undoneBy ?? '')
    await jobs().cancel(again)
    const { count } = await jobs().ended(again)
    expect(count.done + count.cancelled).toBe(FILES)
    expect([await names(server, 'from'), await names(server, 'to')].map(({ length }) => length)).toEqual([
      count.cancelled,
      count.done,
    ])
  },
  PATIENCE,
)
