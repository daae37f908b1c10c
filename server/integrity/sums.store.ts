import type { FilePath } from '../../shared/path.ts'
import type { FindingsTable, SumsTable } from '../db/integrity-schema.ts'
import { fromStored, toStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'

/** Rows read by their identities at a time, and written in one statement. */
const AT_ONCE = 200

/** A known checksum; its place is in the served root. */
export interface SumRow extends Omit<SumsTable, 'place'> {
  place: FilePath
}

export interface FindingRow extends Omit<FindingsTable, 'place'> {
  place: FilePath
}

const toRow = ({ place, ...row }: SumsTable): SumRow => ({ ...row, place: fromStored(place) as FilePath })
const toFinding = ({ place, ...row }: FindingsTable): FindingRow => ({ ...row, place: fromStored(place) as FilePath })

/** The known checksums of some files. */
export async function findSums(db: Db, identities: readonly string[]): Promise<SumRow[]> {
  const rows: SumRow[] = []
  for (let at = 0; at < identities.length; at += AT_ONCE) {
    const some = identities.slice(at, at + AT_ONCE)
    rows.push(...(await db.selectFrom('sums').selectAll().where('identity', 'in', some).execute()).map(toRow))
  }
  return rows
}

/** Adds rows, or replaces those of the same files. */
export async function writeSums(db: Db, rows: readonly SumRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const values = rows.slice(at, at + AT_ONCE).map(({ place, ...row }) => ({ ...row, place: toStored(place) }))
    await db
      .insertInto('sums')
      .values(values)
      .onConflict(conflict =>
        conflict.column('identity').doUpdateSet(({ ref }) => ({
          stamp: ref('excluded.stamp'),
          version: ref('excluded.version'),
          sha256: ref('excluded.sha256'),
          place: ref('excluded.place'),
          size: ref('excluded.size'),
          made_at: ref('excluded.made_at'),
          checked_at: ref('excluded.checked_at'),
          seen_at: ref('excluded.seen_at'),
          source: ref('excluded.source'),
        })),
      )
      .execute()
  }
}

/** Notes that a file was read, or found at a place, and nothing else. */
export async function touchSum(
  db: Db,
  identity: string,
  set: { checked_at?: number; seen_at?: number; place?: FilePath },
) {
  const { place, ...times } = set
  await db
    .updateTable('sums')
    .set({ ...times, ...(place !== undefined && { place: toStored(place) }) })
    .where('identity', '=', identity)
    .execute()
}

/** Files that were last read before a time, the oldest first, after a row. */
export async function dueSums(
  db: Db,
  before: number,
  after: Pick<SumRow, 'checked_at' | 'identity'> | undefined,
  limit: number,
): Promise<SumRow[]> {
  let query = db.selectFrom('sums').selectAll().where('checked_at', '<', before)
  if (after) {
    const { checked_at, identity } = after
    query = query.where(({ and, or, eb }) =>
      or([eb('checked_at', '>', checked_at), and([eb('checked_at', '=', checked_at), eb('identity', '>', identity)])]),
    )
  }
  const rows = await query.orderBy('checked_at').orderBy('identity').limit(limit).execute()
  return rows.map(toRow)
}

/** Forgets files that were not found at any place since a time. */
export async function forgetSums(db: Db, before: number): Promise<void> {
  await db.deleteFrom('sums').where('seen_at', '<', before).execute()
}

/** The number and bytes of all known checksums, and of those that were read since a time. */
export async function countSums(db: Db, since: number) {
  const counted = (query: typeof all) =>
    query.select(({ fn }) => [fn.countAll().as('files'), fn.sum('size').as('bytes')]).executeTakeFirst()
  const all = db.selectFrom('sums')
  const [known, checked] = [await counted(all), await counted(all.where('checked_at', '>=', since))]
  return { known: numbers(known), checked: numbers(checked) }
}

const numbers = (row: { files: unknown; bytes: unknown } | undefined) => ({
  files: Number(row?.files ?? 0),
  bytes: Number(row?.bytes ?? 0),
})

/** Other places where a content was recorded, without files that are not what they were. */
export async function placesWith(db: Db, sha256: string, but: string, limit: number): Promise<SumRow[]> {
  const rows = await db
    .selectFrom('sums')
    .selectAll()
    .where('sha256', '=', sha256)
    .where('identity', '!=', but)
    .where('identity', 'not in', db.selectFrom('findings').select('identity').where('state', '=', 'open'))
    .orderBy('place')
    .limit(limit)
    .execute()
  return rows.map(toRow)
}

/** Adds a finding, unless one about the same file is open. @returns whether it was added */
export async function addFinding(db: Db, { place, ...row }: FindingRow): Promise<boolean> {
  const open = await openFinding(db, row.identity)
  if (open) return false
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('findings')
    .values({ ...row, place: toStored(place) })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return added === 1n
}

export async function openFinding(db: Db, identity: string): Promise<FindingRow | undefined> {
  const query = db.selectFrom('findings').selectAll().where('identity', '=', identity).where('state', '=', 'open')
  const row = await query.executeTakeFirst()
  return row && toFinding(row)
}

export async function findFinding(db: Db, id: string): Promise<FindingRow | undefined> {
  const row = await db.selectFrom('findings').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toFinding(row)
}

/** Findings, newest first. */
export async function listFindings(
  db: Db,
  { state, before }: { state?: FindingRow['state'] | undefined; before?: string | undefined },
  limit: number,
): Promise<FindingRow[]> {
  let query = db.selectFrom('findings').selectAll()
  if (state !== undefined) query = query.where('state', '=', state)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toFinding)
}

/** Settles an open finding. @returns false if it is not open */
export async function settleFinding(
  db: Db,
  id: string,
  how: { state: 'accepted' | 'restored'; settled_at: number; settled_by: string },
): Promise<boolean> {
  const query = db.updateTable('findings').set(how).where('id', '=', id).where('state', '=', 'open')
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}

export async function countOpen(db: Db): Promise<number> {
  const query = db.selectFrom('findings').where('state', '=', 'open')
  const row = await query.select(({ fn }) => fn.countAll().as('count')).executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Takes the content of an accepted finding for the right one, unless the file was changed since. */
export async function acceptSum(db: Db, { identity, stamp, version, found }: FindingRow): Promise<void> {
  if (found === null) return
  const query = db.updateTable('sums').set({ sha256: found, version })
  await query.where('identity', '=', identity).where('stamp', '=', stamp).execute()
}
