import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePath, ROOT } from '../../shared/path.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import { baseAt } from './base.ts'
import { Recording } from './change-records.ts'
import { recorderInto, recordParents, recordWritten } from './recorder.ts'

const FILE = parsePath('/x/y/a.txt')

let root: string
let store: StorageDriver
let recording: Recording

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'recorder-'))
  store = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  recording = new Recording({ way: 'session', session: 'one', gesture: undefined })
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Writes a file of a missing folder and records it. @param meanwhile happens after the folders were looked for */
async function write(meanwhile?: () => Promise<unknown>): Promise<string[]> {
  const record = recorderInto(recording, { id: 1, username: 'anna' }, baseAt(ROOT))
  const staged = await store.stage(FILE, {})
  const act = async () => {
    await meanwhile?.()
    return staged.publish(FILE, {})
  }
  const written = await recordParents({ store, record }, FILE, act, { madeFor: ({ madeFolder }) => madeFolder })
  await staged.close()
  recordWritten(record, undefined, written)
  return recording.latest.map(({ kind, place }) => `${kind} ${place}`)
}

test('the highest folder that was made for a file is its step', async () => {
  expect(await write()).toEqual(['make /x'])
})

test('HIST-01 a folder that another user moved to the path is not made by the upload', async () => {
  const moved = async () => {
    await mkdir(join(root, 'x/y'), { recursive: true })
    await writeFile(join(root, 'x/y/b.txt'), 'theirs')
  }
  expect(await write(moved)).toEqual(['make /x/y/a.txt'])
})

test('only the folder that was missing by then is made', async () => {
  expect(await write(() => mkdir(join(root, 'x')))).toEqual(['make /x/y'])
})
