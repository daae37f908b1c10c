import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from './open.ts'
import { BLANK_SESSION } from './test-session.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-db-'))
  file = join(folder, 'state', 'filigree.db')
})
afterEach(() => rm(folder, { recursive: true }))

describe('the database', () => {
  test('is created on the first start and found on the second', async () => {
    const first = await openDb(file)
    expect(first.isNew).toBe(true)
    await first.db.insertInto('settings').values({ name: 'a', value: 'b' }).execute()
    await first.db.destroy()
    const second = await openDb(file)
    expect(second.isNew).toBe(false)
    expect(await second.db.selectFrom('settings').select('value').execute()).toEqual([{ value: 'b' }])
    await second.db.destroy()
  })

  test('reports a row whose user is deleted, and a duplicate row', async () => {
    const { db } = await openDb(file)
    const session = { ...BLANK_SESSION, id: 's', user_id: 7 }
    await expect(db.insertInto('sessions').values(session).execute()).rejects.toMatchObject({ code: 'unauthorized' })
    const setting = () => db.insertInto('settings').values({ name: 'a', value: 'b' }).execute()
    await setting()
    await expect(setting()).rejects.toMatchObject({ code: 'exists' })
    await db.destroy()
  })

  test('is unreadable for other accounts, like its folder', async () => {
    const { db } = await openDb(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700)
    await db.destroy()
  })

  test.each(['missing', 'empty'])('that was set up before and is %s stops the start', async how => {
    const { db } = await openDb(file)
    await db.destroy()
    await rm(file)
    if (how === 'empty') await writeFile(file, '')
    await expect(openDb(file)).rejects.toThrow('missing or empty')
  })

  test('DB-02 that is truncated stops the start', async () => {
    const { db } = await openDb(file)
    await db.destroy()
    await truncate(file, 5000)
    await expect(openDb(file)).rejects.toThrow('damaged')
  })

  test('that was set up before and is empty stops the start', async () => {
    const { db } = await openDb(file)
    await db.destroy()
    await rm(file)
    const hollow = new DatabaseSync(file)
    hollow.exec('create table t (x); drop table t')
    hollow.close()
    await expect(openDb(file)).rejects.toThrow('missing or empty')
  })

  test('can be created again after the marker was deleted', async () => {
    const { db } = await openDb(file)
    await db.destroy()
    await rm(file)
    await rm(`${file}.keep`)
    const again = await openDb(file)
    expect(again.isNew).toBe(true)
    await again.db.destroy()
  })

  test('that is another program’s file is refused and left unchanged', async () => {
    const other = join(folder, 'notes.txt')
    await writeFile(other, 'these are my notes')
    await expect(openDb(other)).rejects.toThrow('not a Filigree database')
    expect((await stat(other)).size).toBe(18)
  })
})
