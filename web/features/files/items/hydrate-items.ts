import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath } from '../../../../shared/path.ts'
import { queryClient } from '../../../lib/query.ts'
import { tryEach } from '../api/each.ts'
import { folderQuery, knownFolder } from '../api/list.ts'
import { isBare } from './stub-item.ts'

/** Folders that are asked for at most to learn more of things that lie all over the place. */
const MOST_FOLDERS = 100

const parent = ({ path }: ResourceItem): FilePath => parentOf(parsePath(path))

/** Things with everything that is known of those whose folder was loaded. */
export function withKnown(items: readonly ResourceItem[]): ResourceItem[] {
  const known = new Map<string, ResourceItem>()
  for (const [folder, inside] of Map.groupBy(items.filter(isBare), parent)) {
    const wanted = new Map(inside.map(item => [item.name, item.path]))
    for (const entry of knownFolder(folder)?.items ?? []) {
      const path = wanted.get(entry.name)
      if (path !== undefined) known.set(path, entry)
    }
  }
  return items.map(item => known.get(item.path) ?? item)
}

/**
 * Things with everything their folders tell of them; those of which nothing is told stay as they are.
 * @throws ApiError when no folder could be asked
 */
export async function complete(items: readonly ResourceItem[]): Promise<ResourceItem[]> {
  const folders = [...new Set(items.filter(isBare).map(parent))].slice(0, MOST_FOLDERS)
  const failures = await tryEach(folders, async folder => void (await queryClient.fetchQuery(folderQuery(folder))))
  const [failure] = failures
  if (failure && failures.length === folders.length) throw failure.error
  return withKnown(items)
}
