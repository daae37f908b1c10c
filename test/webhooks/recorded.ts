import { openDb } from '../../server/db/open.ts'
import { fromStored } from '../../server/db/paths.ts'

/** The paths of the files and folders that the audit log says were made. */
export async function recordedPaths(database: string): Promise<Set<string>> {
  const { db } = await openDb(database)
  const rows = await db
    .selectFrom('audit')
    .select('path')
    .where('action', 'in', ['upload', 'folder'])
    .where('outcome', '=', 'done')
    .execute()
  await db.destroy()
  return new Set(rows.map(({ path }) => fromStored(path)))
}
