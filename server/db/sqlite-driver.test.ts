import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FlushedFile } from './group-fsync.ts'
import { openDb } from './open.ts'
import type { Db } from './schema.ts'

let folder: string
let db: Db

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-driver-'))
  db = (await openDb(join(folder, 'f.db'))).db
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const set = (on: Db, name: string, value: string) =>
  on
    .insertInto('settings')
    .values({ name, value })
    .onConflict(conflict => conflict.doUpdateSet({ value }))
    .execute()
const textOf = async (on: Db, name: string) =>
  (await on.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value

test('no other caller sees a transaction’s writes before it ends, and none of their writes fall into it', async () => {
  const middle = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const failing = db.transaction().execute(async transaction => {
    await set(transaction, 'one', 'taken back')
    begun.resolve()
    await middle.promise
    throw new Error('taken back')
  })
  await begun.promise
  const [seen, written] = [textOf(db, 'one'), set(db, 'two', 'kept')]
  middle.resolve()
  await expect(failing).rejects.toThrow('taken back')
  await written
  expect([await seen, await textOf(db, 'two')]).toEqual([undefined, 'kept'])
})

test('concurrent transactions run one after the other', async () => {
  await set(db, 'count', '0')
  const add = () =>
    db.transaction().execute(async transaction => {
      const count = Number(await textOf(transaction, 'count'))
      await new Promise(setImmediate)
      await set(transaction, 'count', String(count + 1))
    })
  await Promise.all(Array.from({ length: 20 }, add))
  expect(await textOf(db, 'count')).toBe('20')
})

test('a failed transaction does not block others', async () => {
  const failing = db.transaction().execute(async transaction => {
    await set(transaction, 'one', 'taken back')
    await transaction.insertInto('settings').values({ name: 'one', value: 'twice' }).execute()
  })
  await expect(failing).rejects.toMatchObject({ code: 'exists' })
  await db.transaction().execute(transaction => set(transaction, 'one', 'kept'))
  expect(await textOf(db, 'one')).toBe('kept')
})

test('a failed flush is reported, and retried for the next write', async () => {
  const path = join(folder, 'log')
  const file = new FlushedFile(path)
  await expect(Promise.all([file.flush(), file.flush()])).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(path, 'something')
  await file.flush()
  file.close()
})
