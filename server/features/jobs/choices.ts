import type { ConflictChoice } from '../../../shared/conflicts.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import type { Choices } from '../../jobs/job-map.ts'

/** What was chosen for a path at which something stands: for that path, for the item, or for all. */
export function chooser(job: JobsTable, item: JobItemsTable): (path: FilePath) => ConflictChoice | undefined {
  const payload: Choices = JSON.parse(job.payload)
  const conflict = (item.conflict as ConflictChoice | null) ?? payload.conflict
  const { choices = {} } = payload
  return path => (Object.hasOwn(choices, path) ? choices[path] : conflict)
}
