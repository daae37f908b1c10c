import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { isOnPostgres } from '../ids.ts'
import { fromStored, toStored } from '../paths.ts'

interface Before {
  api_tokens: { id: string; user_id: number; folders: string; confined: number }
  users: { id: number; scope: string }
  token_folders: Row
}

interface Row {
  hash: string
  token: string
  user_id: number
  path: string
  place: string
  canonical: string
  identity: string
}

/**
 * The folders of API tokens, bound to their objects as links are. A migration does not look at the disk: the identity of
 * folders that tokens have is empty, and the first use sets it.
 */
export async function up(db: Kysely<Before>): Promise<void> {
  await db.schema
    .createTable('token_folders')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('token', 'text', column => column.notNull().references('api_tokens.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('canonical', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .addColumn('leaving', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('suspended', 'text')
    .execute()
  for (const column of ['token', 'user_id', 'suspended'])
    await db.schema.createIndex(`token_folders_${column}`).on('token_folders').column(column).execute()
  // An index of PostgreSQL would not take every path.
  for (const column of isOnPostgres(db) ? [] : ['place', 'canonical'])
    await db.schema.createIndex(`token_folders_${column}`).on('token_folders').column(column).execute()
  await db.schema
    .alterTable('api_tokens')
    .addColumn('confined', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  for (const row of await foldersOf(db)) await db.insertInto('token_folders').values(row).execute()
  await db.updateTable('api_tokens').set({ confined: 1 }).where('folders', '!=', '[]').execute()
  await db.schema.alterTable('api_tokens').dropColumn('folders').execute()
}

async function foldersOf(db: Kysely<Before>): Promise<Row[]> {
  const tokens = await db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select(['api_tokens.id', 'user_id', 'folders', 'scope'])
    .where('folders', '!=', '[]')
    .execute()
  return tokens.flatMap(({ id: token, user_id, folders, scope }) =>
    (JSON.parse(folders) as string[]).map(path => {
      const place = placeOf(fromStored(scope), fromStored(path))
      return {
        hash: randomBytes(16).toString('base64url'),
        token,
        user_id,
        path,
        place,
        canonical: place,
        identity: '',
      }
    }),
  )
}

/** The place in the served root of a path in a scope, both as they are written. */
function placeOf(scope: string, path: string): string {
  const names = `${scope}/${path}`.split('/').filter(name => name !== '' && name !== '.')
  return toStored(`/${names.join('/')}`)
}
