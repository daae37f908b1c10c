import type { ConflictChoice } from '../../../shared/conflicts.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import type { Choices } from '../../jobs/job-map.ts'
import { rfc3339 } from '../../responses/serializers.ts'

/** What was decided for an item before its job began. */
interface Decisions {
  /** What was chosen for a path at which something stands: for that path, for the item, or for all. */
  choose(path: FilePath): ConflictChoice | undefined
  /** Whether what stands at a path is as it was when that was chosen, as far as it was told. */
  meant(path: FilePath, standing: { modified: number }): boolean
}

export function decidedIn(job: JobsTable, item: JobItemsTable): Decisions {
  const { choices, seen, ...payload }: Choices = JSON.parse(job.payload)
  const conflict = (item.conflict as ConflictChoice | null) ?? payload.conflict
  return {
    choose: path => valueAt(path, choices) ?? conflict,
    meant: (path, { modified }) => (valueAt(path, seen) ?? rfc3339(modified)) === rfc3339(modified),
  }
}

const valueAt = <T>(path: FilePath, values: Readonly<Record<string, T>> = {}): T | undefined =>
  Object.hasOwn(values, path) ? values[path] : undefined
