import type { FilePath } from '../../shared/path.ts'
import type { DuplicateRunsTable, DuplicatesTable } from '../db/integrity-schema.ts'
import { fromStored, toStored } from '../db/paths.ts'
import type { Db } from '../db/schema.ts'
import { LIMITS } from '../limits.ts'

/** A search for duplicates; its folder is a place in the served root. */
export interface DuplicateRun extends Omit<DuplicateRunsTable, 'folder'> {
  folder: FilePath
}

/** A file of a group. */
export interface DuplicateRow extends Omit<DuplicatesTable, 'place'> {
  place: FilePath
}

/** Rows written in one statement. */
const AT_ONCE = 100

const toRun = ({ folder, ...row }: DuplicateRunsTable): DuplicateRun => ({
  ...row,
  folder: fromStored(folder) as FilePath,
})

/** Begins a run, or begins it again; the oldest runs of its user are deleted. */
export async function beginRun(db: Db, { folder, ...run }: DuplicateRun): Promise<void> {
  await deleteRun(db, run.id)
  await db
    .insertInto('duplicate_runs')
    .values({ ...run, folder: toStored(folder) })
    .execute()
  const runs = await listRuns(db, run.user_id)
  for (const { id } of runs.slice(LIMITS.duplicateRuns)) await deleteRun(db, id)
}

async function deleteRun(db: Db, id: string): Promise<void> {
  await db.deleteFrom('duplicates').where('run', '=', id).execute()
  await db.deleteFrom('duplicate_runs').where('id', '=', id).execute()
}

/** Writes the groups of a run and ends it. */
export async function endRun(
  db: Db,
  end: Pick<DuplicateRunsTable, 'id' | 'files' | 'skipped'> & { at: number },
  rows: readonly DuplicateRow[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const values = rows.slice(at, at + AT_ONCE).map(({ place, ...row }) => ({ ...row, place: toStored(place) }))
    await db.insertInto('duplicates').values(values).execute()
  }
  const { id, at, ...counts } = end
  await db
    .updateTable('duplicate_runs')
    .set({ ...counts, ended_at: at })
    .where('id', '=', id)
    .execute()
}

/** The runs of a user, newest first. */
export async function listRuns(db: Db, userId: number): Promise<DuplicateRun[]> {
  const query = db.selectFrom('duplicate_runs').selectAll().where('user_id', '=', userId)
  return (await query.orderBy('at', 'desc').orderBy('id', 'desc').execute()).map(toRun)
}

export async function findRun(db: Db, id: string): Promise<DuplicateRun | undefined> {
  const row = await db.selectFrom('duplicate_runs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

/** The files of some groups of a run, those with the most bytes to gain first. @param after the group before */
export async function listGroups(db: Db, run: string, after: number, limit: number): Promise<DuplicateRow[]> {
  const rows = await db
    .selectFrom('duplicates')
    .selectAll()
    .where('run', '=', run)
    .where('grp', '>', after)
    .where('grp', '<=', after + limit)
    .orderBy('grp')
    .orderBy('position')
    .execute()
  return rows.map(({ place, ...row }) => ({ ...row, place: fromStored(place) as FilePath }))
}

/** The number of groups of a run. */
export async function countGroups(db: Db, run: string): Promise<number> {
  const query = db.selectFrom('duplicates').where('run', '=', run)
  const row = await query.select(({ fn }) => fn.max('grp').as('last')).executeTakeFirst()
  return Number(row?.last ?? 0)
}
