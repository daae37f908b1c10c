import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type FilePath, ROOT } from '../../shared/path.ts'
import { isAtOrBelow, isOneOf } from '../db/path-columns.ts'
import type { Db } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { ChangeFilter, ChangeRecord, StepAt, StepRecord, TouchedPlace } from '../files/change-records.ts'
import { allChanges, changesWhere, toChange, toStep, withState } from './change-queries.store.ts'

/** Changes that are looked at first: a folder in use has enough lines among them. */
const LATEST = 2000
/** Steps at a place that are read by the index; beyond, changes are looked at one after the other. */
const FEW = 20_000
/** Changes that one call looks at so. */
const MOST = 20_000

type Filter = Omit<ChangeFilter, 'under'>

/** See `ChangeRecords.touching`. */
export async function touchingChanges(
  db: Db,
  where: TouchedPlace,
  filter: Filter,
  limit: number,
): Promise<{ changes: ChangeRecord[]; next?: string }> {
  const latest = await lookAt(db, where, filter, { limit, most: LATEST })
  if (latest.changes.length === limit || latest.next === undefined) return latest
  const rest = { ...filter, before: latest.next }
  const missing = limit - latest.changes.length
  const older = (await isFew(db, where))
    ? { changes: await byIndex(db, where, rest, missing) }
    : await lookAt(db, where, rest, { limit: missing, most: MOST })
  return { ...older, changes: [...latest.changes, ...older.changes] }
}

/** See `ChangeRecords.list`. */
export async function listChanges(db: Db, { under, ...filter }: ChangeFilter, limit: number): Promise<ChangeRecord[]> {
  if (under === ROOT) return allChanges(db, filter, limit)
  const found: ChangeRecord[] = []
  for (let { before } = filter; ; ) {
    const more = before === undefined ? filter : { ...filter, before }
    const { changes, next } = await touchingChanges(db, { place: under, below: true }, more, limit - found.length)
    found.push(...changes)
    before = next
    if (before === undefined || found.length === limit) return found
  }
}

/**
 * Looks at changes from the newest on.
 * @returns `next`: where it stopped before the oldest
 */
async function lookAt(
  db: Db,
  where: TouchedPlace,
  filter: Filter,
  { limit, most }: { limit: number; most: number },
): Promise<{ changes: ChangeRecord[]; next?: string }> {
  const last = await db
    .selectFrom('changes')
    .select('id')
    .where(changesWhere({ before: filter.before, until: where.until?.change }))
    .orderBy('id', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst()
  const rows = await changesIn(db, where, filter)
    .where(sql<SqlBool>`exists (select 1 from change_steps s where s.change = changes.id and ${touches(db, where)})`)
    .$if(last !== undefined, query => query.where('id', '>', last?.id ?? ''))
    .limit(limit)
    .execute()
  const changes = rows.map(toChange)
  const isDone = last === undefined || last.id < (where.from?.change ?? '')
  return isDone || changes.length === limit ? { changes } : { changes, next: nextOf(last.id) }
}

/** The smallest text after an id, so that `before` includes it. */
const nextOf = (id: string): string => `${id}0`

/** All changes that touch a place, by the index of places. */
async function byIndex(db: Db, where: TouchedPlace, filter: Filter, limit: number): Promise<ChangeRecord[]> {
  const [place, target] = ['s.place', 's.target'].map(
    column => sql`select s.change from change_steps s where ${isAt(db, column, where)} and ${inTime(where)}`,
  )
  const also = ['', ...(where.also ?? []).map(({ change }) => change)]
  // First the ids alone: the other columns would be read for each change that the index finds.
  const found = await db
    .selectFrom('changes')
    .select('id')
    .where(changesWhere({ ...filter, since: where.from?.change, until: where.until?.change }))
    .where(sql<SqlBool>`(id in (${place} union ${target}) or id in (${sql.join(also)}))`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  return (await withState(db).where('id', 'in', ids).orderBy('id', 'desc').execute()).map(toChange)
}

async function isFew(db: Db, where: TouchedPlace): Promise<boolean> {
  const counted = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 as one from change_steps s where ${isAt(db, 's.place', where)} limit ${FEW + 1}) as some`.execute(db)
  return Number(counted.rows[0]?.count ?? 0) <= FEW
}

const changesIn = (db: Db, { from, until }: TouchedPlace, filter: Filter) =>
  withState(db)
    .where(changesWhere({ ...filter, since: from?.change, until: until?.change }))
    .orderBy('id', 'desc')

/** Whether a step `s` acted at a place, in the time in which that was the object's. */
const touches = (db: Db, where: TouchedPlace): RawBuilder<SqlBool> =>
  sql<SqlBool>`((${isAt(db, 's.place', where)} or ${isAt(db, 's.target', where)}) and ${inTime(where)} or ${isAlso(where)})`

function isAlso({ also = [] }: TouchedPlace): RawBuilder<SqlBool> {
  const steps = also.map(({ change, position }) => sql`s.change = ${change} and s.position = ${position}`)
  return steps.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(steps, sql` or `)})`
}

const isAt = (db: Db, column: string, { place, below }: TouchedPlace): RawBuilder<SqlBool> =>
  below ? isAtOrBelow(db, column, place) : isOneOf(db, column, [place])

function inTime({ from, until }: TouchedPlace): RawBuilder<SqlBool> {
  const bounds = [
    ...(from ? [sql`(s.change, s.position) >= (${from.change}, ${from.position})`] : []),
    ...(until ? [sql`(s.change, s.position) < (${until.change}, ${until.position})`] : []),
  ]
  return bounds.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(bounds, sql` and `)}`
}

/** See `ChangeRecords.stepsTouching`. */
export async function stepsTouching(db: Db, change: string, where: TouchedPlace, limit: number): Promise<StepRecord[]> {
  const rows = await db
    .selectFrom('change_steps as s')
    .selectAll()
    .where('s.change', '=', change)
    .where(touches(db, where))
    .orderBy('s.position')
    .limit(limit)
    .execute()
  return rows.map(toStep)
}

/** See `ChangeRecords.relocation`. */
export async function findRelocation(
  db: Db,
  places: readonly FilePath[],
  before: StepAt | undefined,
): Promise<StepRecord | undefined> {
  const newest = (column: 's.place' | 's.target') =>
    db
      .selectFrom('change_steps as s')
      .selectAll()
      .where(isOneOf(db, column, places))
      .where('s.kind', 'not in', ['replace', 'link'])
      // What was purged out of the trash had left its place before.
      .where(eb => eb.or([eb('s.kind', '!=', 'purge'), eb('s.kept', 'is', null)]))
      .where('s.state', '!=', 'open')
      .where(inTime({ place: places[0] ?? ('/' as FilePath), below: false, ...(before && { until: before }) }))
      .orderBy('s.change', 'desc')
      .orderBy('s.position', 'desc')
      .limit(1)
      .executeTakeFirst()
  const [at, to] = [await newest('s.place'), await newest('s.target')]
  const row = at && to ? (isAfter(at, to) ? at : to) : (at ?? to)
  return row && toStep(row)
}

const isAfter = (a: StepAt, b: StepAt): boolean =>
  a.change > b.change || (a.change === b.change && a.position > b.position)

/** The step that brought a thing into the trash. */
export async function findTrashStep(db: Db, kept: string): Promise<StepRecord | undefined> {
  const query = db.selectFrom('change_steps').selectAll().where('kept', '=', storable(kept)).where('kind', '=', 'trash')
  const row = await query.orderBy('change', 'desc').limit(1).executeTakeFirst()
  return row && toStep(row)
}
