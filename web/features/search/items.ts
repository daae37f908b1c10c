import type { ResourceItem } from '../../../shared/api/resources.ts'
import { hydrateItems } from '../files/items/hydrate-items.ts'
import { stubItem } from '../files/items/stub-item.ts'
import type { Hit } from './use-hits.ts'

/** Search results as listing entries, completed from cached listings. */
export function itemsOf(hits: readonly Hit[]): ResourceItem[] {
  return hydrateItems(hits.map(({ path, isDir }) => stubItem(path, isDir)))
}
