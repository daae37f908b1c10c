import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, json, type Person, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { basic } from '../integration/dav-place.ts'
import { COUNTABLE, canInject, injecting } from './inject.ts'
import { contentsOf, isLeftover } from './operations.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'
import { contentsIn, resultsOf, trashOf } from './trash-operations.ts'

/** Kills per call and method; whole: at every call. */
const KILLS = size('SWAP_KILLS', 1)
/** Calls that give a folder its name, take it away, or make that durable. */
const CALLS = ['renameat2', 'rename', 'mkdir', 'fsync', 'fdatasync']
const NAMES = ['a.txt', 'deep/b.txt', 'deep/c.txt']
/** Only a direct system call exchanges two names: without one the old tree is in the trash before the new one comes. */
const EXCHANGES = process.env.FILIGREE_TEST_KERNEL !== 'off'
const GOALS = EXCHANGES ? ['old', 'new'] : ['old', 'new', 'none']
const FOLDERS = EXCHANGES ? ['a.txt,deep'] : ['a.txt,deep', '', 'none']

async function plant(server: OwnServer, top: string): Promise<void> {
  for (const folder of ['from', 'to'])
    for (const name of NAMES) {
      await mkdir(join(server.root, top, folder, 'deep'), { recursive: true })
      await writeFile(join(server.root, top, folder, name), `${top} ${folder} ${name}`)
    }
}

const send = ({ url, adminPassword }: OwnServer, method: string, top: string) =>
  fetch(`${url}/dav${top}/from`, {
    method,
    headers: { Authorization: basic('admin', adminPassword), Destination: `/dav${top}/to` },
  })

/** Whether a folder has the tree that came or the old one, whole; `other` for anything else. */
async function treeAt(server: OwnServer, top: string, folder: string): Promise<'new' | 'old' | 'none' | 'other'> {
  const contents = await contentsOf(join(server.root, top, folder)).catch(() => ({}))
  const found = Object.keys(contents).filter(name => !isLeftover(`/${name}`))
  if (found.length === 0) return 'none'
  const texts = (await contentsIn(join(server.root, top, folder))).tree
  const is = (whose: string) =>
    JSON.stringify(texts.sort()) === JSON.stringify(NAMES.map(n => `${top} ${whose} ${n}`).sort())
  if (is('from')) return 'new'
  return is('to') ? 'old' : 'other'
}

const leftoversIn = async (server: OwnServer, top: string) =>
  (await readdir(join(server.root, top))).filter(name => isLeftover(`/${name}`))

/** Requires that a tree is in the trash once, and comes back whole. */
async function demandInTrash(server: OwnServer, owner: Person, top: string): Promise<void> {
  const visit = { server, owner }
  const mine = async () => (await trashOf(visit)).items.filter(({ path }) => path === `${top}/to`)
  await expect.poll(async () => (await mine()).length).toBe(1)
  const [{ id } = { id: '' }] = await mine()
  expect(await resultsOf(visit, '/api/trash/restore', { items: [{ id, to: `${top}/back` }] })).toEqual(['done'])
  expect(await treeAt(server, top, 'back')).toBe('old')
}

describe.runIf(canInject)('a folder that another one replaces', () => {
  test.each(['COPY', 'MOVE'])(
    'DAV-30 %s: wherever the server is killed, the goal is whole, the old tree or the new one, and no tree is lost',
    async method => {
      let server = await startServer({ env: COUNTABLE })
      onTestFinished(() => server.stop())
      const owner = await person(server)
      const counts: Record<string, number> = {}
      for (const calls of CALLS) {
        for (let nth = 1; nth <= KILLS; nth += 1) {
          const top = `/${calls}${nth}`
          await plant(server, top)
          const fault = { calls, what: 'signal=SIGKILL', nth, main: calls === 'renameat2' }
          const { result } = await injecting(server.pid, fault, () => send(server, method, top).catch(() => undefined))
          const hit = result === undefined
          const [goal, source] = [await treeAt(server, top, 'to'), await treeAt(server, top, 'from')]
          expect(GOALS, `${calls} ${nth}`).toContain(goal)
          const isMoved = method === 'MOVE' && goal === 'new'
          expect(source, `${calls} ${nth}`).toEqual(isMoved ? expect.stringMatching(/old|none/) : 'new')
          if (hit) {
            await server.end('SIGKILL')
            server = await startServer({ home: server.home, env: COUNTABLE })
          } else expect(result?.status).toBe(204)
          expect(await treeAt(server, top, 'to')).toBe(goal)
          expect(await treeAt(server, top, 'from')).toBe(source)
          await expect.poll(() => leftoversIn(server, top)).toEqual([])
          if (goal !== 'old' && source !== 'old') await demandInTrash(server, owner, top)
          const end = `${calls}: ${hit ? '' : 'not '}killed, ${goal}`
          counts[end] = (counts[end] ?? 0) + 1
          if (!hit) break
        }
      }
      report(`${method} over a folder: ${JSON.stringify(counts)}`)
    },
    900_000,
  )

  test.each(['COPY', 'MOVE'])(
    'DAV-30 %s: at every instant the goal is whole, and an undo brings the old tree back',
    async method => {
      const server = await startServer()
      onTestFinished(() => server.stop())
      const { token } = await person(server)
      await plant(server, '/top')
      let isOver = false
      const seen = new Set<string>()
      const looking = (async () => {
        while (!isOver) seen.add((await readdir(join(server.root, 'top/to')).catch(() => ['none'])).sort().join())
      })()
      expect((await send(server, method, '/top')).status).toBe(204)
      isOver = true
      await looking
      expect(FOLDERS).toEqual(expect.arrayContaining([...seen]))
      expect(await treeAt(server, '/top', 'to')).toBe('new')
      const { items } = json(await call(server, '/api/changes?folder=/top', { token }))
      const headers = { 'Content-Type': 'application/json' }
      const undone = await call(server, `/api/changes/${items[0].id}/undo`, {
        method: 'POST',
        token,
        headers,
        body: '{}',
      })
      expect([items.length, undone.status]).toEqual([1, 200])
      expect([await treeAt(server, '/top', 'to'), await treeAt(server, '/top', 'from')]).toEqual(['old', 'new'])
    },
  )
})
