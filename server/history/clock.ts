import type { Db } from '../db/schema.ts'

/** What the runs of the expiry note for the next one, and for administrators. Times are milliseconds since the epoch. */
export interface RetentionNote {
  /** When the last run began. */
  at: number
  /** When a jump of the clock was noticed that no administrator has confirmed since: until then nothing expires. */
  jumpedAt?: number
  /** Items in the trash that no note describes. */
  unknown: number
}

/** The row of `settings` that holds it. */
const NAME = 'retention'
/** Milliseconds by which a clock may be set without a question. */
const MOST_SET = 2 * 86_400_000

export async function readRetention(db: Db): Promise<RetentionNote | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst()
  return row && JSON.parse(row.value)
}

export async function writeRetention(db: Db, note: RetentionNote): Promise<void> {
  const value = JSON.stringify(note)
  const row = db.insertInto('settings').values({ name: NAME, value })
  await row.onConflict(conflict => conflict.column('name').doUpdateSet({ value })).execute()
}

/** Lets items expire again by the clock of now. @returns whether a jump was noted */
export async function confirmClock(db: Db): Promise<boolean> {
  const note = await readRetention(db)
  if (note?.jumpedAt === undefined) return false
  await writeRetention(db, { at: Date.now(), unknown: note.unknown })
  return true
}

/** A run of this process: the clock, and one that is never set, both in milliseconds. */
export interface Moment {
  now: number
  steady: number
}

/**
 * Whether the clock was set by days since the last run: against the steady clock of this process, or backwards over a
 * restart. A server that was off looks the same as a clock that was set forwards meanwhile, and is no jump.
 */
export function hasJumped({ now, steady }: Moment, before: Moment | undefined, lastRun: number | undefined): boolean {
  if (before) return Math.abs(now - before.now - (steady - before.steady)) > MOST_SET
  return lastRun !== undefined && now < lastRun - MOST_SET
}
