import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { openDb } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { Recording, type Step } from '../files/change-records.ts'
import { ChangeExpiry } from './change-expiry.ts'
import { changeRecords } from './changes.ts'

const DAY = 86_400_000
const everything = { under: parsePath('/') }

let folder: string
let db: Db

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changes-'))
  db = (await openDb(join(folder, 'filigree.db'))).db
})

afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

const records = () => changeRecords(db, openLocalCluster())
const made = (name: string, more: Partial<Step> = {}): Step => {
  const place = parsePath(`/${name}`)
  return { kind: 'make', place, isFolder: false, made: name, stamp: '1:1', size: 1, ...more }
}

async function record(steps: readonly Step[], gesture?: string): Promise<string> {
  const recording = new Recording({ way: 'session', session: 'one', gesture })
  recording.owner = { id: 1, username: 'anna' }
  for (const step of steps) recording.add(step)
  await records().write(recording)
  return recording.change ?? ''
}

const age = (id: string, days: number) =>
  db
    .updateTable('changes')
    .set({ at: Date.now() - days * DAY })
    .where('id', '=', id)
    .execute()
const left = async () => (await records().list(everything, 100)).map(({ id }) => id)
const expiry = (keep: { days: number; rows: number }) =>
  new ChangeExpiry({ db, cluster: openLocalCluster(), log: { error() {} }, keep })

describe('requests of one action', () => {
  test('JRNL-06 1000 of them at once are one change with a step each', async () => {
    const ids = await Promise.all(Array.from({ length: 1000 }, (_, n) => record([made(`${n}.txt`)], 'a')))
    expect(new Set(ids).size).toBe(1)
    const [change, ...others] = await records().list(everything, 10)
    expect(others).toEqual([])
    expect(change).toMatchObject({ steps: 1000, undoable: 1000, bytes: 1000, folder: '/' })
    const steps = await records().steps(ids[0] ?? '', 0, 2000)
    expect(steps.map(({ position }) => position)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
  })

  test('JRNL-06 a repeated request is no other step, and the step has what is there now', async () => {
    const id = await record([made('a.txt')], 'a')
    await record([made('a.txt', { kind: 'replace', was: 'a.txt', made: 'again', stamp: '2:2' })], 'a')
    expect(await records().steps(id, 0, 10)).toMatchObject([{ kind: 'make', made: 'again', stamp: '2:2' }])
  })

  test('after a day, another change begins', async () => {
    const first = await record([made('a.txt')], 'a')
    await age(first, 2)
    expect(await record([made('b.txt')], 'a')).not.toBe(first)
    expect(await left()).toHaveLength(2)
  })

  test('those of another session are another change', async () => {
    const id = await record([made('a.txt')], 'a')
    const other = new Recording({ way: 'session', session: 'two', gesture: 'a' })
    other.owner = { id: 1, username: 'anna' }
    other.add(made('b.txt'))
    await records().write(other)
    expect(other.change).not.toBe(id)
  })
})

describe('expiry', () => {
  test('forgets whole changes that are older than the days', async () => {
    const [old, recent] = [await record([made('a'), made('b')]), await record([made('c')])]
    await age(old, 91)
    await expiry({ days: 90, rows: 1_000_000 }).run()
    expect(await left()).toEqual([recent])
    expect(await db.selectFrom('change_steps').select('change').execute()).toEqual([{ change: recent }])
  })

  test('forgets the oldest beyond the number of steps', async () => {
    const first = await record([made('a'), made('b')])
    const [second, third] = [await record([made('c'), made('d')]), await record([made('e')])]
    await age(first, 2)
    await expiry({ days: 0, rows: 3 }).run()
    expect(await left()).toEqual([third, second])
  })
})
