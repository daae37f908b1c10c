import type { MarkedItem, RecentItem, RecentList, StarredItem } from '../../../shared/api/marks.ts'
import { nameOf } from '../../../shared/path.ts'
import type { SeenObject } from '../../files/objects.ts'
import type { SeenRecent } from '../../files/recent.ts'
import { rfc3339 } from '../../responses/serializers.ts'

function presentObject({ id, path, entry }: SeenObject): MarkedItem {
  const isDir = entry.kind === 'folder'
  return { id, path, name: nameOf(path), isDir, size: isDir ? 0 : entry.size, modified: rfc3339(entry.modified) }
}

/** A star as in the API. */
export function presentStar(seen: SeenObject): StarredItem {
  return { ...presentObject(seen), ...(seen.trash && { trash: seen.trash.id }) }
}

/** The recent files as in the API; opened ones are left out where the user does not want them noted. */
export function presentRecent(items: readonly SeenRecent[], remember: boolean): RecentList {
  const by = (timeOf: (item: SeenRecent) => number | undefined): RecentItem[] =>
    items
      .flatMap(item => {
        const at = timeOf(item)
        return at === undefined ? [] : [{ item, at }]
      })
      .toSorted((a, b) => b.at - a.at)
      .map(({ item, at }) => ({ ...presentObject(item), time: rfc3339(at) }))
  return { remember, opened: remember ? by(item => item.openedAt) : [], changed: by(item => item.changedAt) }
}
