import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../errors.ts'
import { highestUserId, noteUserId } from './ids.ts'
import { inSnapshot, lockForChanges } from './lock.ts'
import type { Db, Schema } from './schema.ts'

type TableName = keyof Schema
type Row = Readonly<Record<string, unknown>>

/** Rows read and written at a time. */
const PAGE = 500

/** Every table with its key columns; referenced tables come first. */
const KEYS: Readonly<Record<TableName, readonly string[]>> = {
  users: ['id'],
  settings: ['name'],
  sessions: ['id'],
  guesses: ['key'],
  shares: ['hash'],
  deliveries: ['id'],
  link_events: ['id'],
  uploads: ['id'],
  staging_places: ['place'],
  made_folders: ['folder'],
  jobs: ['id'],
  job_items: ['job_id', 'position'],
  audit: ['id'],
  audit_chain: ['head_id'],
  areas: ['id'],
  kept: ['id'],
  objects: ['id'],
  changes: ['id'],
  change_steps: ['change', 'position'],
  stars: ['user_id', 'object'],
  recents: ['user_id', 'object'],
  tags: ['id'],
  object_tags: ['object', 'tag'],
  notes: ['object'],
  comments: ['id'],
  saved_searches: ['id'],
  sums: ['identity'],
  findings: ['id'],
  scrub_runs: ['id'],
  duplicate_runs: ['id'],
  duplicates: ['run', 'grp', 'position'],
  api_tokens: ['id'],
  token_folders: ['hash'],
  locks: ['id'],
  dav_props: ['id'],
  groups: ['id'],
  group_members: ['group_id', 'user_id', 'source'],
  grants: ['hash'],
  grant_names: ['grant', 'user_id'],
  root_settings: ['name'],
  seen_roots: ['name'],
  mounts: ['id'],
  mount_access: ['id'],
  quota_meters: ['id'],
  quota_holds: ['id', 'meter'],
  quota_warnings: ['user_id'],
  place_warnings: ['kind', 'place'],
  last_seen: ['user_id'],
  totp: ['user_id'],
  recovery_codes: ['user_id', 'hash'],
  passkeys: ['id'],
  known_devices: ['id'],
  factor_duties: ['user_id'],
  identities: ['issuer', 'subject'],
  login_flows: ['id'],
  logout_tokens_seen: ['issuer', 'jti'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  branding_images: ['name'],
  mail_addresses: ['user_id'],
  mails: ['id'],
  sign_in_places: ['user_id', 'place'],
  office_files: ['id'],
  office_tokens: ['hash'],
}
const TABLES = Object.keys(KEYS) as TableName[]

/** Rows read from a table. */
interface Content {
  rows: number
  /** Over all rows in key order. */
  digest: string
}

/**
 * Copies everything from one database to another, of either engine, reads it back and compares it: all or nothing.
 * @returns the number of rows of each table
 * @throws AppError `exists` when the target has users, `unavailable` when the copy differs from the source
 */
export async function copyState(from: Db, to: Db): Promise<ReadonlyMap<TableName, number>> {
  const columns = await columnsOfBoth(from, to)
  return inSnapshot(from).execute(source =>
    to.transaction().execute(async target => {
      await lockForChanges(target)
      await empty(target)
      const counts = new Map<TableName, number>()
      for (const table of TABLES) {
        const names = columns.get(table) ?? []
        const was = await read(source, table, names, rows => insert(target, table, names, rows))
        const is = await read(target, table, names)
        if (was.digest !== is.digest) throw new AppError('unavailable', `The copy of the table ${table} differs.`)
        counts.set(table, is.rows)
      }
      await noteUserId(target, await highestUserId(source))
      return counts
    }),
  )
}

/** Deletes what a first start writes into a database without users. @throws AppError `exists` */
async function empty(target: Db): Promise<void> {
  const user = await target.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user) throw new AppError('exists', 'It already has users.')
  for (const table of TABLES.toReversed()) await target.deleteFrom(table).execute()
}

/** The columns that are written; a database may have generated columns as well. */
async function columnsOfBoth(from: Db, to: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const [here, there] = await Promise.all([columnsOf(from), columnsOf(to)])
  return new Map([...here].map(([table, names]) => [table, names.filter(name => there.get(table)?.includes(name))]))
}

async function columnsOf(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await db.introspection.getTables()
  return new Map(tables.map(({ name, columns }) => [name, columns.map(column => column.name)]))
}

async function read(
  db: Db,
  table: TableName,
  columns: readonly string[],
  use?: (rows: readonly Row[]) => Promise<void>,
): Promise<Content> {
  const hash = createHash('sha256')
  let count = 0
  for (let rows = await page(db, table, columns); rows.length > 0; rows = await page(db, table, columns, rows.at(-1))) {
    for (const row of rows) hash.update(`${JSON.stringify(columns.map(name => row[name]))}\n`)
    count += rows.length
    await use?.(rows)
  }
  return { rows: count, digest: hash.digest('hex') }
}

/** The rows after a key, in key order. */
async function page(db: Db, table: TableName, columns: readonly string[], last?: Row): Promise<readonly Row[]> {
  const key = KEYS[table]
  const after = last ? sql`where (${refs(key)}) > (${sql.join(key.map(name => last[name]))})` : sql``
  const { rows } = await sql<Row>`
    select ${refs(columns)} from ${sql.table(table)} ${after} order by ${refs(key)} limit ${PAGE}`.execute(db)
  return rows
}

async function insert(db: Db, table: TableName, columns: readonly string[], rows: readonly Row[]): Promise<void> {
  const values = rows.map(row => sql`(${sql.join(columns.map(name => row[name]))})`)
  await sql`insert into ${sql.table(table)} (${refs(columns)}) values ${sql.join(values)}`.execute(db)
}

const refs = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map(name => sql.ref(name)))
