import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { openDb } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { Recording, type StepAhead, stampOf } from '../files/change-records.ts'
import { NO_DEPENDENTS } from '../files/places.ts'
import type { Entry, KeptThings, ReplacedFile, StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import { writeFile as publish } from '../storage/write-file.ts'
import { changeRecords } from './changes.ts'
import { recover } from './recovery.ts'
import { trashRecords } from './trash.ts'
import { ulid } from './ulid.ts'
import { versionRecords } from './versions.ts'

const A = parsePath('/a.txt')
const HOUR = 3_600_000
const STOP = new Error('killed')

let folder: string
let db: Db
let storage: StorageDriver
let kept: KeptThings

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ahead-'))
  const root = join(folder, 'root')
  await mkdir(root)
  await writeFile(join(root, 'a.txt'), 'one')
  db = (await openDb(join(folder, 'filigree.db'))).db
  storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  if (!storage.kept) throw new Error('this store keeps nothing')
  kept = storage.kept
})

afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

function newRecording(): Recording {
  const recording = new Recording({ way: 'session', session: 'one' })
  recording.owner = { id: 1, username: 'anna' }
  return recording
}

const recovered = () =>
  recover({ db, cluster: openLocalCluster(), storage, kept, dependents: NO_DEPENDENTS }, Date.now() + HOUR)
const steps = () => db.selectFrom('change_steps').selectAll().orderBy('change').orderBy('position').execute()
const changes = () => db.selectFrom('changes').select(['kind', 'undoable', 'steps']).execute()
const there = async (): Promise<Entry> => {
  const entry = await storage.stat(A)
  if (!entry) throw new Error('the file is missing')
  return entry
}

/** Replaces the file as the server does, up to the answer. @param before fails right before the rename */
async function replaced(recording: Recording, before = async () => {}): Promise<StepAhead | undefined> {
  const id = ulid()
  let ahead: StepAhead | undefined
  const begin = async ({ at, was, place, identity, made }: ReplacedFile) => {
    const step = { kind: 'replace', place, isFolder: false, was: was.identity, made, kept: id, size: 3 } as const
    ahead = { recording, step: { ...step } }
    const whose = { userId: 1, username: 'anna', replacedAt: Date.now(), reason: 'save' } as const
    const { size, modified, mode } = was
    await versionRecords(db).begin(
      { id, at, place, was: was.identity, identity, size, modified, mode, ...whose },
      ahead,
    )
    await before()
  }
  const keep = { id, username: 'anna', mayCopy: 0, kept: begin }
  await publish(storage, A, Readable.from([Buffer.from('two')]), { keep }).catch(thrown => {
    if (thrown.cause !== STOP) throw thrown
  })
  return ahead
}

test('a replaced file has its step before the rename, which is completed with its version', async () => {
  const recording = newRecording()
  const states: string[] = []
  const ahead = await replaced(recording, async () => void states.push(...(await steps()).map(({ state }) => state)))
  expect(states).toEqual(['open'])
  const now = await there()
  if (ahead) ahead.step.stamp = stampOf(now)
  await versionRecords(db).done(ahead?.step.kept ?? '', { ...now, place: A }, ahead)
  await changeRecords(db, openLocalCluster()).write(recording)
  expect(await steps()).toMatchObject([{ state: 'done', made: now.identity, stamp: stampOf(now), position: 0 }])
  expect(await db.selectFrom('kept').select('state').execute()).toEqual([{ state: 'kept' }])
})

test('HIST-02 of a replacement that a kill left without its record, the step is completed', async () => {
  await replaced(newRecording())
  await recovered()
  const now = await there()
  expect(await steps()).toMatchObject([{ state: 'done', made: now.identity }])
  expect(await changes()).toMatchObject([{ undoable: 1 }])
})

test('HIST-02 a replacement that a kill stopped before the rename leaves no change', async () => {
  await replaced(newRecording(), () => Promise.reject(STOP))
  await recovered()
  expect([await steps(), await changes()]).toEqual([[], []])
})

test('steps that are done are written in front of one that is written in advance', async () => {
  const recording = newRecording()
  recording.add({ kind: 'make', place: parsePath('/new'), isFolder: true, made: 'x' })
  await replaced(recording)
  expect((await steps()).map(({ kind, state }) => [kind, state])).toEqual([
    ['make', 'done'],
    ['replace', 'open'],
  ])
})

test.each([true, false])(
  'HIST-02 the step of a restore that a kill left open is settled by the disk: %s',
  async back => {
    const records = trashRecords(db)
    const id = ulid()
    const { at, was, place } = await kept.plan(A, id)
    const { identity, size, modified, mode } = was
    const whose = { userId: 1, username: 'anna', deletedAt: Date.now() }
    await records.begin({ id, at, place, identity, isFolder: false, size, modified, mode, ...whose })
    await kept.setAside(A, { at, was }, { id, username: 'anna', deletedAt: whose.deletedAt })
    await records.kept(id)
    await records.leave(id, 'restored')
    const step = { kind: 'restore', place: A, isFolder: false, made: identity, kept: id } as const
    await records.restoring({ recording: newRecording(), step })
    if (back) await kept.bringBack(at, A, { as: A })
    await recovered()
    expect((await steps()).map(({ state }) => state)).toEqual(back ? ['done'] : [])
    expect(await db.selectFrom('kept').select('state').execute()).toEqual([{ state: back ? 'gone' : 'kept' }])
  },
)
