import { type SelectQueryBuilder, sql } from 'kysely'
import type { EventFacts } from '../../shared/event-facts.ts'
import { isOnPostgres } from '../db/ids.ts'
import { insertRows } from '../db/insert-row.ts'
import { storedBelow, toStored } from '../db/paths.ts'
import { statement } from '../db/prepared.ts'
import type { AuditChainTable, AuditTable, Db, Schema } from '../db/schema.ts'
import { hashOf } from './chain.ts'

/** Rows per statement when reading or deleting. */
const BATCH = 1000
/** Rows per INSERT. */
const INSERTED = 100

export type NewAuditRow = Omit<AuditTable, 'id' | 'hash'>

/** A filter; all fields that are given must match. */
export interface AuditFilter {
  username?: string
  action?: string
  /** A path and everything below it; without a leading slash, a substring of a path. */
  path?: string
  /** Milliseconds since the epoch; `from` is inclusive, `to` exclusive. */
  from?: number
  to?: number
  /** Only rows with a smaller id. */
  before?: number
}

/** Writes more in the transaction of a row of the audit log. @param row its id */
export type AlongAudit = (transaction: Db, row: number) => Promise<void>

/** A row, and what is known of it besides. */
export type DeliveredRow = NewAuditRow & { facts?: EventFacts }

/** Writes the events of these rows for other programs, in their transaction. @returns what to do after it, if anything */
export type DeliverRows = (transaction: Db, rows: readonly DeliveredRow[]) => Promise<(() => void) | undefined>

/**
 * Appends rows to the chain, all or none.
 * @param along what is written with a row, by its index
 * @param deliver what is written with all of them
 */
export async function appendRows(
  db: Db,
  rows: readonly NewAuditRow[],
  along: ReadonlyMap<number, AlongAudit> = new Map(),
  deliver?: (transaction: Db) => Promise<(() => void) | undefined>,
): Promise<void> {
  const after = await db.transaction().execute(async transaction => {
    const chain = await lockChain(transaction)
    let [id, before] = [chain.head_id, chain.head_hash]
    const hung = rows.map(row => {
      id += 1
      before = hashOf(before, { id, ...row })
      return { id, ...row, hash: before }
    })
    await insertRows(transaction, 'audit', hung, INSERTED)
    await setHead(transaction, { id, hash: before })
    for (const [index, write] of along) await write(transaction, hung[index]?.id ?? 0)
    return deliver?.(transaction)
  })
  after?.()
}

/** Locks the chain also for other servers; a transaction of SQLite has locked the database. */
async function lockChain(transaction: Db): Promise<AuditChainTable> {
  const [chain] = (await lockedChain(transaction, {})).rows
  if (!chain) throw new Error('the audit log has no chain')
  return chain
}

const lockedChain = statement<object, AuditChainTable>(({ db }) =>
  db
    .selectFrom('audit_chain')
    .selectAll()
    .$if(isOnPostgres(db), query => query.forUpdate()),
)

const setHead = statement<{ id: number; hash: string }>(({ db, value }) =>
  db.updateTable('audit_chain').set({ head_id: value('id'), head_hash: value('hash') }),
)

export async function readChain(db: Db): Promise<AuditChainTable> {
  return db.selectFrom('audit_chain').selectAll().executeTakeFirstOrThrow()
}

/** Rows after an id, the oldest first, one batch. */
export async function rowsAfter(db: Db, id: number): Promise<AuditTable[]> {
  return db.selectFrom('audit').selectAll().where('id', '>', id).orderBy('id').limit(BATCH).execute()
}

/** Matching rows, the newest first. */
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

/** Whether a column holds the path, or one below it; or contains a text that is not a whole path. */
function touches(path: string, name: 'path' | 'target') {
  const column = sql.ref(name)
  if (!path.startsWith('/')) return sql<boolean>`lower(${column}) like ${`%${patternOf(path)}%`} escape '!'`
  const folder = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const below = storedBelow(folder).map(start => sql`substr(${column}, 1, length(${start})) = ${start}`)
  return sql<boolean>`(${sql.join([sql`${column} = ${toStored(folder)}`, ...below], sql` or `)})`
}

/** A `LIKE` pattern that matches a substring; both engines ignore case for ASCII letters only. */
const patternOf = (text: string) =>
  text.replaceAll(/[%_!]/g, '!$&').replaceAll(/[A-Z]/g, letter => letter.toLowerCase())

/** The last row to prune: older than a time, or beyond a number of rows. @returns 0 for none */
export async function lastToForget(db: Db, time: number, keep: number): Promise<number> {
  const { head_id } = await readChain(db)
  const row = await db
    .selectFrom('audit')
    .select(eb => eb.fn.min('id').as('id'))
    .where('at', '>=', time)
    .executeTakeFirst()
  // Timestamps can decrease when the clock is set back: rows after one that is kept are kept.
  const old = row?.id === null || row?.id === undefined ? head_id : row.id - 1
  return Math.max(old, head_id - keep)
}

/**
 * Deletes the oldest rows up to an id, one batch at most. The chain then starts at the last one deleted. @returns the
 * number of rows
 */
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
