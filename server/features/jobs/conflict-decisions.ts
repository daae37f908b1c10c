import type { ConflictChoice } from '../../../shared/conflicts.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import type { Choices } from '../../jobs/job-kinds.ts'
import { rfc3339 } from '../../responses/serializers.ts'

/** The conflict decisions for an item, made before its job began. */
interface Decisions {
  /** The choice for a path that exists already: for that path, for the item, or for all. */
  choose(path: FilePath): ConflictChoice | undefined
  /** Whether the entry at a path is unchanged since that choice, as far as its modification time was sent. */
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
