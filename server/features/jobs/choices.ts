import type { ConflictChoice } from '../../../shared/conflicts.ts'
import type { FilePath } from '../../../shared/path.ts'
import { rfc3339 } from '../../content/present.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import type { Choices } from '../../jobs/job-map.ts'

/** What was chosen for a path at which something stands: for that path, for the item, or for all. */
export function chooser(job: JobsTable, item: JobItemsTable): (path: FilePath) => ConflictChoice | undefined {
  const payload: Choices = JSON.parse(job.payload)
  const conflict = (item.conflict as ConflictChoice | null) ?? payload.conflict
  return path => valueAt(path, payload.choices) ?? conflict
}

/** Whether what stands at a path is as it was when it was chosen what becomes of it, as far as that was told. */
export function seenBefore({ payload }: JobsTable): (path: FilePath, standing: { modified: number }) => boolean {
  const { seen }: Choices = JSON.parse(payload)
  return (path, { modified }) => (valueAt(path, seen) ?? rfc3339(modified)) === rfc3339(modified)
}

const valueAt = <T>(path: FilePath, values: Readonly<Record<string, T>> = {}): T | undefined =>
  Object.hasOwn(values, path) ? values[path] : undefined
