import { type SelectQueryBuilder, sql } from 'kysely'
import { storedBelow, toStored } from '../db/paths.ts'
import type { AuditChainTable, AuditTable, Db, Schema } from '../db/schema.ts'
import { hashOf } from './chain.ts'

/** Rows that are read or removed at a time. */
const BATCH = 1000
/** Rows that are put in by one statement. */
const INSERTED = 100

export type NewAuditRow = Omit<AuditTable, 'id' | 'hash'>

/** Which rows are wanted; all fields that are given must fit. */
export interface AuditFilter {
  username?: string
  action?: string
  /** A path and all below it; without a slash at its beginning a part of one. */
  path?: string
  /** Milliseconds since the epoch; `from` is included, `to` is not. */
  from?: number
  to?: number
  /** Only older ones than this row. */
  before?: number
}

/** Hangs rows on the chain, all or none. */
export async function appendRows(db: Db, rows: readonly NewAuditRow[]): Promise<void> {
  await db.transaction().execute(async transaction => {
    const chain = await lockChain(transaction)
    let [id, before] = [chain.head_id, chain.head_hash]
    const hung = rows.map(row => {
      id += 1
      before = hashOf(before, { id, ...row })
      return { id, ...row, hash: before }
    })
    for (let at = 0; at < hung.length; at += INSERTED) {
      await transaction
        .insertInto('audit')
        .values(hung.slice(at, at + INSERTED))
        .execute()
    }
    await transaction.updateTable('audit_chain').set({ head_id: id, head_hash: before }).execute()
  })
}

/** Writes first, which takes SQLite's write lock: a transaction that begins with reading cannot take it later. */
async function lockChain(transaction: Db): Promise<AuditChainTable> {
  return transaction
    .updateTable('audit_chain')
    .set(eb => ({ head_id: eb.ref('head_id') }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function readChain(db: Db): Promise<AuditChainTable> {
  return db.selectFrom('audit_chain').selectAll().executeTakeFirstOrThrow()
}

/** Rows behind one, the oldest first, a batch of them. */
export async function rowsAfter(db: Db, id: number): Promise<AuditTable[]> {
  return db.selectFrom('audit').selectAll().where('id', '>', id).orderBy('id').limit(BATCH).execute()
}

/** Rows that fit, the newest first. */
export async function findRows(db: Db, filter: AuditFilter, limit: number): Promise<AuditTable[]> {
  return fitting(db.selectFrom('audit').selectAll(), filter).orderBy('id', 'desc').limit(limit).execute()
}

type Rows = SelectQueryBuilder<Schema, 'audit', AuditTable>

function fitting(rows: Rows, { username, action, path, from, to, before }: AuditFilter): Rows {
  return rows
    .$if(username !== undefined, query => query.where('username', '=', username ?? ''))
    .$if(action !== undefined, query => query.where('action', '=', action ?? ''))
    .$if(from !== undefined, query => query.where('at', '>=', from ?? 0))
    .$if(to !== undefined, query => query.where('at', '<', to ?? 0))
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .$if(path !== undefined, query =>
      query.where(eb => eb.or([touches(path ?? '', 'path'), touches(path ?? '', 'target')])),
    )
}

/** Whether a column holds the path, or one below it; or a text that is no whole path. */
function touches(path: string, name: 'path' | 'target') {
  const column = sql.ref(name)
  if (!path.startsWith('/')) return sql<boolean>`lower(${column}) like ${`%${patternOf(path)}%`} escape '!'`
  const folder = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const below = storedBelow(folder).map(start => sql`substr(${column}, 1, length(${start})) = ${start}`)
  return sql<boolean>`(${sql.join([sql`${column} = ${toStored(folder)}`, ...below], sql` or `)})`
}

/** What `like` finds a text by; of capital letters both engines know those of ASCII. */
const patternOf = (text: string) =>
  text.replaceAll(/[%_!]/g, '!$&').replaceAll(/[A-Z]/g, letter => letter.toLowerCase())

/** How far rows go that are to be forgotten: those before a time, and all but so many. @returns 0 for none */
export async function lastToForget(db: Db, time: number, keep: number): Promise<number> {
  const { head_id } = await readChain(db)
  const row = await db
    .selectFrom('audit')
    .select(eb => eb.fn.min('id').as('id'))
    .where('at', '>=', time)
    .executeTakeFirst()
  // Times may go back with the clock: what comes behind a row to be kept is kept.
  const old = row?.id === null || row?.id === undefined ? head_id : row.id - 1
  return Math.max(old, head_id - keep)
}

/** Removes the oldest rows up to one, a batch at most. The chain then hangs on the last one removed. @returns how many */
export async function forgetUpTo(db: Db, last: number): Promise<number> {
  return db.transaction().execute(async transaction => {
    const { anchor_id } = await lockChain(transaction)
    const end = await transaction
      .selectFrom('audit')
      .select(['id', 'hash'])
      .where('id', '<=', Math.min(last, anchor_id + BATCH))
      .orderBy('id', 'desc')
      .executeTakeFirst()
    if (!end) return 0
    const { numDeletedRows } = await transaction.deleteFrom('audit').where('id', '<=', end.id).executeTakeFirst()
    await transaction.updateTable('audit_chain').set({ anchor_id: end.id, anchor_hash: end.hash }).execute()
    return Number(numDeletedRows)
  })
}
