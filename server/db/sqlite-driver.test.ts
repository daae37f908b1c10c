import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FlushedFile } from './group-fsync.ts'
import { inSnapshot } from './lock.ts'
import { openDb } from './open.ts'
import type { Db } from './schema.ts'
import { SqliteDriver } from './sqlite-driver.ts'

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

/** A driver of a database in memory. `flushes` is the number of flushes so far; while `fails` is set they fail. */
function countingFlushes() {
  const database = new DatabaseSync(':memory:')
  database.exec('create table t (a int primary key)')
  const disk = { flushes: 0, fails: false }
  const driver = new SqliteDriver({
    close: () => database.close(),
    isInTransaction: () => database.isTransaction,
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: parameters => statement.all(...(parameters as SQLInputValue[])),
        run: parameters => statement.run(...(parameters as SQLInputValue[])),
        iterate: parameters => statement.iterate(...(parameters as SQLInputValue[])),
      }
    },
    async flush() {
      disk.flushes += 1
      if (disk.fails) throw new Error('the disk fails')
    },
  })
  return { driver, disk }
}

test('only what was written is flushed, once, also after a failed flush', async () => {
  const { driver, disk } = countingFlushes()
  const connection = await driver.acquireConnection()
  const flushesOf = async (...statements: string[]) => {
    const before = disk.flushes
    for (const sql of statements) await connection.executeQuery(CompiledQuery.raw(sql))
    return disk.flushes - before
  }
  const inTransaction = async (...statements: string[]) => {
    const before = disk.flushes
    await driver.beginTransaction(connection)
    await flushesOf(...statements)
    await driver.commitTransaction(connection)
    return disk.flushes - before
  }
  expect(await flushesOf('insert into t values (1)')).toBe(1)
  expect(await flushesOf('select * from t', 'delete from t where a = 9', 'update t set a = 9 where a = 8')).toBe(0)
  expect(await flushesOf('insert into t values (1) on conflict do nothing')).toBe(0)
  expect(await inTransaction('select * from t', 'delete from t where a = 9')).toBe(0)
  expect(await inTransaction('insert into t values (2)', 'insert into t values (3) returning a')).toBe(1)
  expect(await flushesOf('update t set a = 4 where a = 3 returning a', 'create table u (a int)')).toBe(2)
  disk.fails = true
  await expect(flushesOf('insert into t values (5)')).rejects.toThrow('the disk fails')
  disk.fails = false
  expect(await flushesOf('delete from t where a = 9')).toBe(1)
  await driver.destroy()
})

test('a snapshot holds up no write of another process, and does not see it', async () => {
  const { db: other } = await openDb(join(folder, 'f.db'))
  await set(db, 'one', 'before')
  await inSnapshot(db).execute(async snapshot => {
    expect(await textOf(snapshot, 'one')).toBe('before')
    await set(other, 'one', 'after')
    expect(await textOf(snapshot, 'one')).toBe('before')
  })
  expect(await textOf(db, 'one')).toBe('after')
  await other.destroy()
})
