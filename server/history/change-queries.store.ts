import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { ChangeKind } from '../../shared/api/changes.ts'
import type { FilePath } from '../../shared/path.ts'
import type { ChangeStepsTable, ChangesTable } from '../db/history-schema.ts'
import { isOneOf } from '../db/path-columns.ts'
import { fromStored } from '../db/paths.ts'
import { removedMark } from '../db/removed-links.ts'
import type { Db, Schema } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { ChangeFilter, ChangeRecord, StepRecord } from '../files/change-records.ts'

/** The names that a change is listed with. */
export const namesIn = (facts: string): string[] => (JSON.parse(facts) as string[]).map(fromStored)

const open = sql<number>`exists (select 1 from change_steps s where s.change = changes.id and s.state = 'open')`
const undoneKind = sql<string | null>`(select u.kind from changes u where u.id = changes.undoes)`
const redoneKind = sql<
  string | null
>`(select f.kind from changes u join changes f on f.id = u.undoes where u.id = changes.undoes)`
/** Changes, with what their records do not say themselves. */
export const withState = (db: Db) =>
  db
    .selectFrom('changes')
    .selectAll()
    .select([open.as('is_open'), undoneKind.as('undone_kind'), redoneKind.as('redone_kind')])

interface ChangeRow extends Selectable<ChangesTable> {
  is_open: number | boolean
  /** Of the change that it undid, and of the one that this one had undone. */
  undone_kind: string | null
  redone_kind: string | null
}

export async function findChange(db: Db, id: string): Promise<ChangeRecord | undefined> {
  const row = await withState(db).where('id', '=', id).executeTakeFirst()
  return row && toChange(row)
}

export async function findChangeOfJob(db: Db, job: string): Promise<string | undefined> {
  const row = await db.selectFrom('changes').select('id').where('job', '=', job).executeTakeFirst()
  return row?.id
}

/** The changes of rows of the audit log, by the rows' ids. */
export async function changesOfAudit(db: Db, rows: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (rows.length === 0) return new Map()
  const steps = await db.selectFrom('change_steps').select(['audit', 'change']).where('audit', 'in', rows).execute()
  return new Map(steps.map(({ audit, change }) => [Number(audit), change]))
}

/** Matching changes at all places, newest first. */
export async function allChanges(db: Db, filter: Omit<ChangeFilter, 'under'>, limit: number): Promise<ChangeRecord[]> {
  const rows = await withState(db).where(changesWhere(filter)).orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toChange)
}

interface ChangesWhere extends Omit<ChangeFilter, 'under' | 'before'> {
  before?: string | undefined
  /** The first and the last id. */
  since?: string | undefined
  until?: string | undefined
}

/** Whether a change is of a user, a kind, a time. */
export const changesWhere =
  ({ userId, username, session, kind, undoable, from, to, before, since, until }: ChangesWhere) =>
  (where: ExpressionBuilder<Schema, 'changes'>) =>
    where.and([
      ...(since === undefined ? [] : [where('id', '>=', since)]),
      ...(until === undefined ? [] : [where('id', '<=', until)]),
      ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
      ...(username === undefined ? [] : [where('username', '=', storable(username))]),
      ...(session === undefined ? [] : [where('session', '=', session)]),
      ...(kind === undefined ? [] : [where('kind', '=', storable(kind))]),
      ...(undoable ? [where('undoable', '>', 0)] : []),
      ...(from === undefined ? [] : [where('at', '>=', from)]),
      ...(to === undefined ? [] : [where('at', '<', to)]),
      ...(before === undefined ? [] : [where('id', '<', storable(before))]),
    ])

export async function findStep(db: Db, change: string, position: number): Promise<StepRecord | undefined> {
  const row = await db
    .selectFrom('change_steps')
    .selectAll()
    .where('change', '=', change)
    .where('position', '=', position)
    .executeTakeFirst()
  return row && toStep(row)
}

export async function listSteps(
  db: Db,
  change: string,
  { from, limit, down }: { from: number; limit: number; down: boolean },
): Promise<StepRecord[]> {
  const rows = await db
    .selectFrom('change_steps')
    .selectAll()
    .where('change', '=', change)
    .where('position', down ? '<=' : '>=', from)
    .orderBy('position', down ? 'desc' : 'asc')
    .limit(limit)
    .execute()
  return rows.map(toStep)
}

/** What replaced a file of an identity at a place, by the newest such step. */
export async function findSuccessor(db: Db, place: FilePath, identity: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('change_steps')
    .select('made')
    .where(isOneOf(db, 'place', [place]))
    .where('kind', '=', 'replace')
    .where('was', '=', identity)
    .orderBy('change', 'desc')
    .executeTakeFirst()
  return row?.made ?? undefined
}

/** Deletes whole changes, the oldest first: beyond an age, or beyond a number of steps. @returns the number of changes */
export async function forgetChanges(db: Db, before: number, keep: number, limit: number): Promise<number> {
  const { total } = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.sum<number | null>('steps').as('total'))
    .executeTakeFirstOrThrow()
  let over = Number(total ?? 0) - keep
  const oldest = await db.selectFrom('changes').select(['id', 'at', 'steps']).orderBy('id').limit(limit).execute()
  const gone: string[] = []
  for (const { id, at, steps } of oldest) {
    if (Number(at) >= before && over <= 0) break
    over -= steps
    gone.push(id)
  }
  if (gone.length === 0) return 0
  await db.transaction().execute(async transaction => {
    await forgetLinks(transaction, gone)
    await transaction.deleteFrom('change_steps').where('change', 'in', gone).execute()
    await transaction.deleteFrom('changes').where('id', 'in', gone).execute()
  })
  return gone.length
}

/** Deletes the removed links that the undo of some changes could bring back. */
async function forgetLinks(db: Db, changes: readonly string[]): Promise<void> {
  const links = await db
    .selectFrom('change_steps')
    .select('kept')
    .where('change', 'in', changes)
    .where('kind', '=', 'link')
    .execute()
  if (links.length === 0) return
  const ids = links.flatMap(({ kept }) => kept ?? [])
  // A later change may name a link, too.
  const later = await db
    .selectFrom('change_steps')
    .select('kept')
    .where('kept', 'in', ids)
    .where('change', 'not in', changes)
    .execute()
  const named = new Set(later.map(({ kept }) => kept))
  const marks = ids.filter(id => !named.has(id)).map(removedMark)
  if (marks.length > 0) await db.deleteFrom('shares').where('suspended', 'in', marks).execute()
}

export function toChange(row: ChangeRow): ChangeRecord {
  const about = row.redone_kind ?? row.undone_kind
  return {
    id: row.id,
    at: Number(row.at),
    endedAt: Number(row.ended_at),
    userId: row.user_id,
    username: row.username,
    way: row.way,
    ...(row.visitor !== null && { visitor: row.visitor }),
    session: row.session,
    kind: row.kind as ChangeKind,
    ...(row.job !== null && { job: row.job }),
    ...(row.undoes !== null && { undoes: row.undoes }),
    ...(about !== null && { about: { kind: about as ChangeKind, again: row.redone_kind !== null } }),
    ...(row.undone_by !== null && { undoneBy: row.undone_by }),
    folder: fromStored(row.folder) as FilePath,
    steps: row.steps,
    undoable: row.undoable,
    bytes: Number(row.bytes),
    first: namesIn(row.facts),
    isOpen: Boolean(row.is_open),
  }
}

export function toStep(row: Selectable<ChangeStepsTable>): StepRecord {
  return {
    change: row.change,
    position: row.position,
    kind: row.kind,
    place: fromStored(row.place) as FilePath,
    ...(row.target !== null && { target: fromStored(row.target) as FilePath }),
    isFolder: row.is_folder === 1,
    ...(row.was !== null && { was: row.was }),
    ...(row.made !== null && { made: row.made }),
    ...(row.stamp !== null && { stamp: row.stamp }),
    ...(row.kept !== null && { kept: row.kept }),
    ...(row.settings !== null && { settings: row.settings }),
    ...(row.reverts !== null && { reverts: row.reverts }),
    state: row.state,
  }
}
