import type { ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import { knownFolder } from '../files/api/list.ts'
import { bareItem } from '../files/bare-item.ts'
import type { Hit } from './use-hits.ts'

/** What was found as entries of listings, with everything that is known of those whose folder was loaded. */
export function itemsOf(hits: readonly Hit[]): ResourceItem[] {
  const byFolder = Map.groupBy(hits, hit => parentOf(hit.path))
  const known = new Map<string, ResourceItem>()
  for (const [folder, inside] of byFolder) collectKnown(folder, inside, known)
  return hits.map(({ path, isDir }) => known.get(path) ?? bareItem(path, isDir))
}

function collectKnown(folder: FilePath, hits: readonly Hit[], known: Map<string, ResourceItem>): void {
  const wanted = new Map(hits.map(({ path }) => [nameOf(path), path]))
  for (const item of knownFolder(folder)?.items ?? []) {
    const path = wanted.get(item.name)
    if (path !== undefined) known.set(path, item)
  }
}
