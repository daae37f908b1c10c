import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { TrashPage } from '../../shared/api/trash.ts'
import { call, encode, json, person } from '../api/client.ts'
import { mayMount } from '../api/disks.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { digest, reachable } from '../api/reachable.ts'
import { openConsole } from '../cli/console.ts'
import { Dice } from '../fuzz/dice.ts'
import { type ClonedDisk, KINDS, makeClonedDisk } from './cloned-disk.ts'
import { type Actor, Ledger, operate } from './conserved.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Number of power cuts per file system. */
const CUTS = size('HISTORY_CUTS', 20)
/** Answers before a cut, at most. */
const ANSWERS = 24
/** Milliseconds from the last of these answers to the cut, at most; every second cut follows the answer at once. */
const SPAN = 20
const ACTORS = 3

type State = ReturnType<Ledger['copy']>

/** Lets all actors act until the power is cut. @returns what the answers until then said */
async function actUntilCut(disk: ClonedDisk, actors: readonly Actor[], ledger: Ledger, dice: Dice, isLate: boolean) {
  let state: State | undefined
  const cut = () => {
    if (state) return
    state = ledger.copy()
    disk.cut()
  }
  let answers = 1 + dice.below(ANSWERS)
  const late = dice.below(SPAN)
  ledger.answered = () => {
    answers -= 1
    if (answers !== 0) return
    if (isLate) setTimeout(cut, late)
    else cut()
  }
  await Promise.all(
    actors.map(async actor => {
      while (!state) await operate(actor)
    }),
  )
  ledger.answered = () => {}
  return state ?? ledger.copy()
}

const trashOf = async (server: OwnServer, token: string): Promise<TrashPage['items']> => {
  const items: TrashPage['items'] = []
  for (;;) {
    const before = items.length > 0 ? `?before=${items.at(-1)?.id}` : ''
    const page: TrashPage = json(await call(server, `/api/trash${before}`, { token }))
    items.push(...page.items)
    if (!page.more) return items
  }
}

/** Requires of a server on the copy what the answers said. @returns how many contents were compared */
async function demandConserved(server: OwnServer, state: State, sent: ReadonlySet<string>): Promise<number> {
  const { token } = await person(server)
  const there = await reachable(server, { token })
  const must = [...state].filter(([, { where, mayGo }]) => where && !mayGo)
  expect(
    must.filter(([content]) => !there.has(digest(content))).map(([content, entry]) => [named(content), entry]),
  ).toEqual([])
  expect([...there].filter(found => !sent.has(found))).toEqual([])
  const items = new Map((await trashOf(server, token)).map(({ id, path }) => [id, path]))
  for (const [content, { where, busy }] of state) {
    if (busy || !where) continue
    if (where.kind === 'trash') {
      expect(items.get(where.id), named(content)).toBe(where.path)
      const { text } = await call(server, `/api/trash/raw/${where.id}${encode(where.inner)}`, { token })
      expect(text === content, `${named(content)} is in the trash`).toBe(true)
    }
    if (where.kind === 'live') {
      const { text } = await call(server, `/api/raw${encode(where.path)}`, { token })
      expect(text === content, `${named(content)} is at ${where.path}`).toBe(true)
    }
  }
  return must.length
}

const named = (content: string) => content.slice(0, content.indexOf('\n'))

/** Requires that the records and the disk agree, and that the database is sound. */
async function demandAgreement(server: OwnServer): Promise<void> {
  const shell = await openConsole(server.home)
  const check = () => shell.run('history', 'check', '-d', server.database)
  await expect.poll(check, { timeout: 20_000, interval: 500 }).toMatchObject({ code: 0, out: '' })
  const database = new DatabaseSync(server.database, { readOnly: true })
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(database.prepare("select id from kept where state in ('open', 'leaving')").all()).toEqual([])
  database.close()
}

test.runIf(mayMount()).each(KINDS)(
  'HIST-03 after power cuts on %s everything acknowledged is at its place, in the trash or a version',
  async kind => {
    const place = await mkdtemp(join(tmpdir(), 'power-'))
    const disk = await makeClonedDisk(place, kind)
    onTestFinished(async () => {
      disk.remove()
      await rm(place, { recursive: true })
    })
    expect(disk.mounted).toBe(true)
    const home = join(disk.folder, 'home')
    await mkdir(join(home, 'srv'), { recursive: true })
    const live = await startServer({ home })
    onTestFinished(() => live.stop())
    const [who, dice, ledger] = [await person(live), new Dice(SEED), new Ledger()]
    const actors: Actor[] = Array.from({ length: ACTORS }, (_, index) => ({
      ...{ server: live, who, ledger, folder: `/actor-${index}`, items: new Map() },
      dice: new Dice(SEED + index + 1),
    }))
    disk.sync()
    let compared = 0
    for (let round = 0; round < CUTS; round += 1) {
      const state = await actUntilCut(disk, actors, ledger, dice, round % 2 === 1)
      const sent = new Set([...ledger.entries.keys()].map(digest))
      const copy = await startServer({ home: join(disk.restart(), 'home') })
      try {
        await demandAgreement(copy)
        compared += await demandConserved(copy, state, sent)
      } finally {
        await copy.end()
      }
      disk.demandSound()
    }
    report(`${kind}: ${CUTS} power cuts, ${ledger.done} operations, ${compared} contents compared (seed ${SEED})`)
  },
  3_600_000,
)
