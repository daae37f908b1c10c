import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { insertNewRow, insertRows } from './insert-row.ts'
import { openDb } from './open.ts'
import { isAtOrBelow, isOneOf, isPath, pathValues } from './path-columns.ts'
import { byShape, prepared, statement } from './prepared.ts'

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'prepared-'))
  const { db } = await openDb(join(folder, 'f.db'))
  onTestFinished(async () => {
    await db.destroy()
    await rm(folder, { recursive: true })
  })
  return db
}

test('a statement is built once for a database, and runs with the values of each call, in a transaction too', async () => {
  let built = 0
  const set = statement<{ name: string; value: string }, { value: string }>(({ db, value }) => {
    built += 1
    return db
      .insertInto('settings')
      .values({ name: value('name'), value: value('value') })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value: value('value') }))
      .returning('value')
  })
  const [one, other] = [await open(), await open()]
  expect((await set(one, { name: 'a', value: 'one' })).rows).toEqual([{ value: 'one' }])
  await one.transaction().execute(async transaction => {
    expect((await set(transaction, { value: 'two', name: 'a' })).rows).toEqual([{ value: 'two' }])
  })
  expect(built).toBe(1)
  expect((await set(other, { name: 'a', value: 'three' })).rows).toEqual([{ value: 'three' }])
  const find = prepared((db, name: string) => db.selectFrom('settings').select('value').where('name', '=', name))
  expect([await find(one, 'a'), await find(other, 'a'), await find(one, 'b')]).toEqual([
    { value: 'two' },
    { value: 'three' },
    undefined,
  ])
})

test('values that a statement has itself stay, and each of its values may be null', async () => {
  const db = await open()
  await insertRows(
    db,
    'settings',
    ['a', 'b', 'c'].map(name => ({ name, value: "o'ld" })),
    50,
  )
  const change = statement<{ value: string }>(({ db, value }) =>
    db
      .updateTable('settings')
      .set({ value: value('value') })
      .where('name', 'in', ['a', 'b'])
      .where('value', '=', "o'ld"),
  )
  expect((await change(db, { value: 'new' })).numAffectedRows).toBe(2n)
  expect((await change(db, { value: 'newer' })).numAffectedRows).toBe(0n)
})

test('a row with a known key is added once', async () => {
  const db = await open()
  const row = { name: 'a', value: 'one' }
  expect([await insertNewRow(db, 'settings', row), await insertNewRow(db, 'settings', row)]).toEqual([true, false])
})

test('a path is found by its stored form, whatever its length', async () => {
  const db = await open()
  const find = statement<ReturnType<typeof pathValues>, { value: string }>(({ db, value }) =>
    db
      .selectFrom('settings')
      .select('value')
      .where(isPath(db, 'name', { stored: value('stored'), start: value('start') })),
  )
  const long = `/${'a'.repeat(700)}`
  const rows = [`${long}1`, `${long}2`].map(name => ({ name, value: name.slice(-1) }))
  await insertRows(db, 'settings', rows, 50)
  expect((await find(db, pathValues(db, `${long}2`))).rows).toEqual([{ value: '2' }])
  const names = db.selectFrom('settings').select('value')
  expect(await names.where(isOneOf(db, 'name', [`${long}1`])).execute()).toEqual([{ value: '1' }])
  await insertRows(db, 'settings', [{ name: `${long}1/in`, value: 'in' }], 50)
  expect(
    await names
      .where(isAtOrBelow(db, 'name', `${long}1`))
      .orderBy('value')
      .execute(),
  ).toEqual([{ value: '1' }, { value: 'in' }])
})

test('a statement of each shape is made once', () => {
  const made: number[] = []
  const of = byShape((count: number) => made.push(count))
  expect([of(1), of(2), of(1), made]).toEqual([1, 2, 1, [1, 2]])
})
