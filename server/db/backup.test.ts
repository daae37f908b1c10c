import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addUser, BLANK_USER } from '../features/users/users.store.ts'
import { copyDb } from './backup.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openDb } from './open.ts'
import { restoreDb } from './restore.ts'
import type { Db, Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { BLANK_SESSION } from './test-session.ts'

let folder: string
let file: string
let backup: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-db-'))
  file = join(folder, 'filigree.db')
  backup = join(folder, 'backup.db')
})
afterEach(() => rm(folder, { recursive: true }))

async function within<T>(act: (db: Db) => Promise<T>, path = file): Promise<T> {
  const { db } = await openDb(path)
  try {
    return await act(db)
  } finally {
    await db.destroy()
  }
}

const write = (value: string) => (db: Db) =>
  db
    .insertInto('settings')
    .values({ name: 'word', value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()

const read = async (db: Db) => (await db.selectFrom('settings').select('value').executeTakeFirst())?.value

/** Makes a database look as an earlier, or a later, release left it. */
function migrated(sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe('a backup', () => {
  test('DB-06 is complete and private during concurrent writes', async () => {
    const { db } = await openDb(file)
    await write('first')(db)
    const writing = (async () => {
      for (let count = 0; count < 50; count += 1) await write(`count ${count}`)(db)
    })()
    await copyDb(file, backup)
    await writing
    await db.destroy()
    expect((await stat(backup)).mode & 0o777).toBe(0o600)
    expect(await within(read, backup)).toMatch(/^(?:first|count \d+)$/)
  })

  test('that fails leaves nothing behind', async () => {
    await writeFile(file, 'no database at all, but long enough to be taken for one by its size')
    await expect(copyDb(file, backup)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readdir(folder)).toEqual(['filigree.db'])
  })
})

describe('restoring', () => {
  test('takes effect for processes that have the database open, and keeps the former one', async () => {
    await within(write('before'))
    await copyDb(file, backup)
    const { db } = await openDb(file)
    await write('after')(db)
    const kept = await restoreDb(file, backup)
    expect(await read(db)).toBe('before')
    await write('later')(db)
    await db.destroy()
    expect(await within(read)).toBe('later')
    expect(await within(read, kept)).toBe('after')
  })

  test('ends the sessions of the backup, and the jobs that had not ended', async () => {
    await within(async db => {
      await addUser(db, { ...BLANK_USER, username: 'a', passwordHash: '' })
      const session = { ...BLANK_SESSION, id: 's', user_id: 1, expires_at: 2 ** 45 }
      await db.insertInto('sessions').values(session).execute()
      const job = {
        id: 'j',
        kind: 'delete',
        user_id: 1,
        session_id: 's',
        scope: '/',
        payload: '{}',
        progress: '{}',
        origin: '{}',
      }
      const idle = { state: 'running', stop: 0, created_at: 0, run_at: 0, heartbeat: 0 } as const
      await db
        .insertInto('jobs')
        .values({ ...job, ...idle })
        .execute()
      await db.insertInto('job_items').values({ job_id: 'j', position: 0, source: '/x', state: 'running' }).execute()
    })
    await copyDb(file, backup)
    await restoreDb(file, backup)
    const states = await within(async db => [
      await db.selectFrom('sessions').select('id').execute(),
      await db.selectFrom('jobs').select('state').execute(),
      await db.selectFrom('job_items').select('state').execute(),
    ])
    expect(states).toEqual([[], [{ state: 'cancelled' }], [{ state: 'cancelled' }]])
  })

  test.each([
    ['gone', () => rm(file)],
    ['empty', () => truncate(file, 0)],
    ['damaged', () => writeFile(file, 'not a database any more, whatever it was before this')],
  ])('restores a database that is %s', async (_how, lose) => {
    await within(write('kept'))
    await copyDb(file, backup)
    await lose()
    await expect(openDb(file)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await restoreDb(file, backup)).toBeUndefined()
    expect(await within(read)).toBe('kept')
    expect((await readdir(folder)).sort()).toEqual(['backup.db', 'filigree.db', 'filigree.db.keep'])
  })

  test('refuses a file that is not a backup, and changes nothing', async () => {
    await within(write('kept'))
    await writeFile(backup, 'a text file in the place of a backup')
    await expect(restoreDb(file, backup)).rejects.toThrow('is not a backup')
    await expect(restoreDb(file, join(folder, 'none'))).rejects.toThrow('There is no file')
    expect(await within(read)).toBe('kept')
  })
})

describe('a new release', () => {
  test('keeps a copy of the previous state, for restoring', async () => {
    const steps = Object.entries(MIGRATIONS)
    const [newest] = steps.pop() ?? []
    const db = new Kysely<Schema>({ dialect: sqliteDialect(file) })
    const provider = { getMigrations: async () => Object.fromEntries(steps) }
    await new Migrator({ db, provider }).migrateToLatest()
    await write('old')(db)
    await db.destroy()
    await within(write('new'))
    const kept = `${file}.before-${newest}`
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
    await restoreDb(file, kept)
    expect(await within(read)).toBe('old')
  })

  test('is not replaced by the previous release, which explains how to go back', async () => {
    await within(write('new'))
    migrated("insert into kysely_migration (name, timestamp) values ('9999-later', '')")
    await expect(openDb(file)).rejects.toThrow(`filigree restore ${file}.before-9999-later`)
    await expect(restoreDb(join(folder, 'other.db'), file)).rejects.toThrow('newer Filigree')
    expect((await readdir(folder)).sort()).toEqual(['filigree.db', 'filigree.db.keep'])
  })
})
