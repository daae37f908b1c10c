import type { Db } from '../../db/schema.ts'

/** The last comparison of the accounts of a directory with it. */
export interface DirectoryRun {
  /** When it ended, in milliseconds since the epoch. */
  at: number
  /** `doubtful` and `failed` ones changed no account. */
  state: 'good' | 'doubtful' | 'failed'
  /** Accounts for which the last good one found an open entry. */
  open: number
  /** Why it changed no account; no secret. */
  reason?: string
}

const nameOf = (slug: string) => `directory:${slug}`

export async function lastRun(db: Db, slug: string): Promise<DirectoryRun | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', nameOf(slug)).executeTakeFirst()
  return row && JSON.parse(row.value)
}

export async function writeRun(db: Db, slug: string, run: DirectoryRun): Promise<void> {
  const value = JSON.stringify(run)
  await db
    .insertInto('settings')
    .values({ name: nameOf(slug), value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
