import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { insertRow } from './insert-row.ts'
import { openDb } from './open.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'insert-row-'))
  const { db } = await openDb(join(folder, 'f.db'))
  onTestFinished(async () => {
    await db.destroy()
    await rm(folder, { recursive: true })
  })
  return db
}

test('each row has its own values, whatever the order of its columns, in a transaction too', async () => {
  const db = await open()
  await insertRow(db, 'settings', { name: 'a', value: 'one' })
  await insertRow(db, 'settings', { value: 'two', name: 'b' })
  await db.transaction().execute(transaction => insertRow(transaction, 'settings', { name: 'c', value: 'three' }))
  const rows = await db
    .selectFrom('settings')
    .selectAll()
    .where('name', 'in', ['a', 'b', 'c'])
    .orderBy('name')
    .execute()
  expect(rows.map(({ name, value }) => [name, value])).toEqual([
    ['a', 'one'],
    ['b', 'two'],
    ['c', 'three'],
  ])
})

test('a second row with the same key is refused', async () => {
  const db = await open()
  await insertRow(db, 'settings', { name: 'a', value: 'one' })
  await expect(insertRow(db, 'settings', { name: 'a', value: 'two' })).rejects.toMatchObject({ code: 'exists' })
})
