import type { ScrubRunsTable } from '../db/integrity-schema.ts'
import type { Db } from '../db/schema.ts'

/** A check of the served root; times in milliseconds since the epoch. */
export interface ScrubRun {
  id: string
  startedAt: number
  /** Nothing while it runs, and for ever when its process was killed. */
  endedAt: number | undefined
  /** Whether nothing was left to check. */
  complete: boolean
  /** In the served root, as far as it was walked. */
  files: number
  bytes: number
  readFiles: number
  readBytes: number
  /** New findings. */
  found: number
}

/** Runs that are remembered. */
const REMEMBERED = 100

/** Writes the state of a run; the first time, the oldest one is forgotten. */
export async function writeRun(db: Db, run: ScrubRun): Promise<void> {
  const row: ScrubRunsTable = {
    id: run.id,
    started_at: run.startedAt,
    ended_at: run.endedAt ?? null,
    complete: run.complete ? 1 : 0,
    files: run.files,
    bytes: run.bytes,
    read_files: run.readFiles,
    read_bytes: run.readBytes,
    found: run.found,
  }
  const { id, ...set } = row
  const { numUpdatedRows } = await db.updateTable('scrub_runs').set(set).where('id', '=', id).executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await db.insertInto('scrub_runs').values(row).execute()
  const oldest = db.selectFrom('scrub_runs').select('id').orderBy('id', 'desc').offset(REMEMBERED).limit(1)
  const { id: last } = (await oldest.executeTakeFirst()) ?? {}
  if (last !== undefined) await db.deleteFrom('scrub_runs').where('id', '<=', last).execute()
}

/** The newest run, or the newest complete one. */
export async function lastRun(db: Db, { complete = false } = {}): Promise<ScrubRun | undefined> {
  let query = db.selectFrom('scrub_runs').selectAll()
  if (complete) query = query.where('complete', '=', 1)
  const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
  return (
    row && {
      id: row.id,
      startedAt: row.started_at,
      endedAt: row.ended_at ?? undefined,
      complete: row.complete === 1,
      files: row.files,
      bytes: row.bytes,
      readFiles: row.read_files,
      readBytes: row.read_bytes,
      found: row.found,
    }
  )
}
