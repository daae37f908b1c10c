import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MIGRATIONS } from './migrations/index.ts'
import { openDb } from './open.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-db-'))
})
afterEach(() => rm(folder, { recursive: true }))

const STEPS = Object.entries(MIGRATIONS)

/** A database after the first steps. @returns the error, if any */
async function apply(file: string, steps: readonly [string, Migration][]): Promise<unknown> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) })
  const provider = { getMigrations: async () => Object.fromEntries(steps) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  await db.destroy()
  return error
}

/** All tables and indexes, and the content of `settings`. */
function contentOf(file: string): unknown[] {
  const database = new DatabaseSync(file)
  const schema = database.prepare("select name, sql from sqlite_schema where name not like 'sqlite_%' order by name")
  const content = [schema.all(), database.prepare('select * from settings').all()]
  database.close()
  return content
}

async function opened(file: string): Promise<unknown[]> {
  const { db } = await openDb(file)
  await db.destroy()
  return contentOf(file)
}

/** The same step, which fails at its end. */
const broken = ([name, { up }]: [string, Migration]): [string, Migration] => [
  name,
  {
    async up(db) {
      await up(db)
      await sql`insert into nowhere values (1)`.execute(db)
    },
  },
]

describe('a database of an earlier release', () => {
  test.each(STEPS.slice(1).map(([name], index) => [name, index + 1] as const))(
    'DB-07 DB-08 from before %s is migrated to the present schema, also after an interrupted upgrade, and a copy is kept',
    async (name, count) => {
      const [fresh, file] = [join(folder, 'fresh.db'), join(folder, 'old.db')]
      expect(await apply(file, STEPS.slice(0, count))).toBeUndefined()
      const old = new DatabaseSync(file)
      old.exec("insert into settings values ('kept', 'yes')")
      old.close()
      const before = contentOf(file)

      for (const last of new Set([...STEPS.slice(count, count + 1), ...STEPS.slice(-1)])) {
        const upTo = STEPS.slice(0, STEPS.indexOf(last))
        expect(await apply(file, [...upTo, broken(last)])).toBeDefined()
        expect(contentOf(file)).toEqual(before)
      }
      const [schema] = await opened(fresh)
      expect(await opened(file)).toEqual([schema, [{ name: 'kept', value: 'yes' }]])
      expect(await readdir(folder)).toContain(`old.db.before-${name}`)
      expect(contentOf(join(folder, `old.db.before-${name}`))).toEqual(before)
    },
  )
})
