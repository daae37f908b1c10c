import type { ResourceItem } from '../../../shared/api/resources.ts'
import { bareItem } from '../files/bare-item.ts'
import { withKnown } from '../files/known.ts'
import type { Hit } from './use-hits.ts'

/** What was found as entries of listings, with everything that is known of those whose folder was loaded. */
export function itemsOf(hits: readonly Hit[]): ResourceItem[] {
  return withKnown(hits.map(({ path, isDir }) => bareItem(path, isDir)))
}
