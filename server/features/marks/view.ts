import type { FolderMarks, MarkedItem, RecentItem, RecentList, StarredItem } from '../../../shared/api/marks.ts'
import { nameOf } from '../../../shared/path.ts'
import type { SeenObject } from '../../files/objects.ts'
import type { SeenRecent } from '../../files/recent.ts'
import type { RemarkCounts } from '../../files/remark-records.ts'
import { rfc3339 } from '../../responses/serializers.ts'

function presentObject({ id, path, entry }: SeenObject): MarkedItem {
  const isDir = entry.kind === 'folder'
  return { id, path, name: nameOf(path), isDir, size: isDir ? 0 : entry.size, modified: rfc3339(entry.modified) }
}

/** A star as in the API. */
export function presentStar(seen: SeenObject): StarredItem {
  return { ...presentObject(seen), ...(seen.trash && { trash: seen.trash.id }) }
}

/** The marks of the items in a folder as in the API, by name. @param tagged ids of tags */
export function presentMarks(
  starred: readonly string[],
  tagged: ReadonlyMap<string, readonly string[]>,
  remarked: ReadonlyMap<string, RemarkCounts>,
): FolderMarks {
  const stars = new Set(starred)
  const names = [...new Set([...starred, ...tagged.keys(), ...remarked.keys()])]
  return Object.fromEntries(
    names.map(name => {
      const [tags, { hasNote = false, comments = 0 } = {}] = [tagged.get(name), remarked.get(name)]
      const mark = {
        ...(stars.has(name) && { star: true as const }),
        ...(tags && { tags: [...tags] }),
        ...(hasNote && { note: true as const }),
        ...(comments > 0 && { comments }),
      }
      return [name, mark]
    }),
  )
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
