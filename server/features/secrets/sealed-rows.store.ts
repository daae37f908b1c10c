import { sql } from 'kysely'
import { isOnPostgres } from '../../db/ids.ts'
import type { Db } from '../../db/schema.ts'

/** Rows read at a time. */
const PAGE = 500

/** The rows whose secrets are sealed, as `Secrets` names them. */
export const ROWS = {
  totp: (userId: number) => `totp:${userId}`,
  session: (id: string) => `session:${id}`,
  flow: (id: string) => `flow:${id}`,
} as const

/** Where sealed texts are, by kind. */
const PLACES = {
  totp: { table: 'totp', key: 'user_id', column: 'secret' },
  session: { table: 'sessions', key: 'id', column: 'id_token' },
  flow: { table: 'login_flows', key: 'id', column: 'data' },
} as const
export type SealedKind = keyof typeof PLACES
export const SEALED_KINDS = Object.keys(PLACES) as SealedKind[]

/** A stored secret, sealed or of a release that did not seal its kind. */
export interface SealedRow {
  kind: SealedKind
  /** Of its table. */
  key: number | string
  /** As `ROWS` names it. */
  row: string
  text: string
}

/** All stored secrets of a kind, in key order; those that are written meanwhile may be missing. */
export async function* sealedRows(db: Db, kind: SealedKind): AsyncGenerator<SealedRow> {
  for (let rows = await page(db, kind); rows.length > 0; rows = await page(db, kind, rows.at(-1)?.key)) yield* rows
}

async function page(db: Db, kind: SealedKind, last?: number | string): Promise<SealedRow[]> {
  const { table, key, column } = PLACES[kind]
  const after = last === undefined ? sql`` : sql`and ${sql.ref(key)} > ${last}`
  const { rows } = await sql<{ id: number | string; content: string }>`
    select ${sql.ref(key)} as id, ${sql.ref(column)} as content from ${sql.table(table)}
    where ${sql.ref(column)} <> '' ${after} order by ${sql.ref(key)} limit ${PAGE}`.execute(db)
  return rows.map(({ id, content: text }) => ({ kind, key: id, row: `${kind}:${id}`, text }))
}

/** Replaces a stored secret, unless it has changed since it was read. */
export async function replaceSealed(db: Db, { kind, key: id, text }: SealedRow, sealed: string): Promise<void> {
  const { table, key, column } = PLACES[kind]
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${text}`.execute(db)
}

/**
 * Keeps other writers from the tables with sealed texts until the transaction ends, after `lockForChanges`, which does on
 * SQLite. Row by row, the deletion of several ended sessions would wait for this transaction, and this one for it.
 */
export async function lockSealed(transaction: Db): Promise<void> {
  if (!isOnPostgres(transaction)) return
  await sql`lock table totp, sessions, login_flows in share row exclusive mode`.execute(transaction)
}
