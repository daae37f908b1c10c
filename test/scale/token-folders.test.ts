import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS } from '../../server/db/migrations/index.ts'
import { openDb } from '../../server/db/open.ts'
import { postgresDialect } from '../../server/db/postgres.ts'
import type { Schema } from '../../server/db/schema.ts'
import { sqliteDialect } from '../../server/db/sqlite.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

const folder = await mkdtemp(join(tmpdir(), 'filigree-token-folders-'))
afterAll(() => rm(folder, { recursive: true }))

const FILE = { make: async () => join(folder, 'old.db'), dialect: sqliteDialect }
const SERVER = { make: async () => (await sharedPostgres()).make(), dialect: postgresDialect }
const ENGINES = Object.entries({ SQLite: FILE, ...(hasPostgres ? { PostgreSQL: SERVER } : {}) })

/** Migrates a database up to before a migration, and has its rows there. */
async function fill(old: Kysely<Schema>, first: string, rows: readonly string[]): Promise<void> {
  const steps = Object.entries(MIGRATIONS).filter(([name]) => name < first)
  const provider = { getMigrations: async () => Object.fromEntries(steps) }
  const { error } = await new Migrator({ db: old, provider }).migrateToLatest()
  if (error) throw error
  for (const row of rows) await sql.raw(row).execute(old)
  await old.destroy()
}

const userOf = (id: number, scope: string) =>
  `insert into users (id, username, password_hash, scope, lock_password, perm, preferences, rules, commands, created_at,
    modified_at) values (${id}, 'u${id}', 'x', '${scope}', 0, '{}', '{}', '[]', '[]', 0, 0)`

const tokenOf = (id: string, user: number, folders: string) =>
  `insert into api_tokens (id, user_id, label, hash, hint, scopes, folders, networks, created_at)
    values ('${id}', ${user}, 'x', 'h${id}', 'x', '["read"]', '${folders}', '[]', 0)`

const sessionOf = (id: string, way: string) =>
  `insert into sessions (id, user_id, created_at, renewed_at, expires_at, seen_at, address, agent, way)
    values ('${id}', 1, 7000000000000, 7000000000000, 8000000000000, 0, '', '', '${way}')`

describe.each(ENGINES)('DB-07 a database on %s from before the folders of tokens were rows', (_name, engine) => {
  test('has a row for each folder, and knows which sessions were confirmed', async () => {
    const at = await engine.make()
    const users = [userOf(1, '/ann'), userOf(2, '.'), userOf(3, './bob//c')]
    const folders = [1, 2, 3].map(id => tokenOf(`t${id}`, id, id === 3 ? '["/in","/a b/é"]' : '["/in"]'))
    const sessions = ['session', 'oidc', 'passkey'].map(way => sessionOf(way, way))
    await fill(new Kysely({ dialect: engine.dialect(at) }), '0073', [
      ...[...users, ...folders, tokenOf('all', 1, '[]')],
      ...sessions,
    ])

    const { db } = await openDb(at)
    onTestFinished(() => db.destroy())
    const tokens = await db.selectFrom('api_tokens').select(['id', 'confined']).orderBy('id').execute()
    expect(tokens.map(({ id, confined }) => `${id} ${confined}`)).toEqual(['all 0', 't1 1', 't2 1', 't3 1'])
    const rows = await db.selectFrom('token_folders').selectAll().orderBy('token').orderBy('place').execute()
    expect(rows.map(({ token, path, place }) => `${token} ${path} ${place}`)).toEqual([
      't1 /in /ann/in',
      't2 /in /in',
      't3 /a b/é /bob/c/a b/é',
      't3 /in /bob/c/in',
    ])
    expect(rows[0]).toMatchObject({ user_id: 1, canonical: '/ann/in', identity: '', leaving: 0, suspended: null })
    const confirmed = await db.selectFrom('sessions').select(['id', 'confirmed_at', 'factors']).orderBy('id').execute()
    expect(confirmed.map(({ id, confirmed_at }) => `${id} ${confirmed_at}`)).toEqual([
      ...['oidc 7000000000000', 'passkey 7000000000000', 'session 0'],
    ])
    expect(confirmed.map(({ factors }) => factors)).toEqual(['', '', ''])
  })
})
