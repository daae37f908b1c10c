import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath } from '../../../../shared/path.ts'
import { queryClient } from '../../../lib/query.ts'
import { folderQuery, knownFolder } from '../api/list.ts'
import { tryEach } from '../api/try-each.ts'
import { isStub } from './stub-item.ts'

/** Upper limit of folders requested to complete items from several places. */
const MOST_FOLDERS = 100

const parent = ({ path }: ResourceItem): FilePath => parentOf(parsePath(path))

/** The items, completed from cached listings. */
export function hydrateItems(items: readonly ResourceItem[]): ResourceItem[] {
  const known = new Map<string, ResourceItem>()
  for (const [folder, inside] of Map.groupBy(items.filter(isStub), parent)) {
    const wanted = new Map(inside.map(item => [item.name, item.path]))
    for (const entry of knownFolder(folder)?.items ?? []) {
      const path = wanted.get(entry.name)
      if (path !== undefined) known.set(path, entry)
    }
  }
  return items.map(item => known.get(item.path) ?? item)
}

/**
 * The items, completed from their folders' listings; those not listed there stay as they are.
 * @throws ApiError when every request failed
 */
export async function complete(items: readonly ResourceItem[]): Promise<ResourceItem[]> {
  const folders = [...new Set(items.filter(isStub).map(parent))].slice(0, MOST_FOLDERS)
  const failures = await tryEach(folders, async folder => void (await queryClient.fetchQuery(folderQuery(folder))))
  const [failure] = failures
  if (failure && failures.length === folders.length) throw failure.error
  return hydrateItems(items)
}
