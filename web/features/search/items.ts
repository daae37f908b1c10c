import type { ResourceItem } from '../../../shared/api/resources.ts'
import { withKnown } from '../files/items/hydrate-items.ts'
import { bareItem } from '../files/items/stub-item.ts'
import type { Hit } from './use-hits.ts'

/** What was found as entries of listings, with everything that is known of those whose folder was loaded. */
export function itemsOf(hits: readonly Hit[]): ResourceItem[] {
  return withKnown(hits.map(({ path, isDir }) => bareItem(path, isDir)))
}
