import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { Sorting } from '../../../../shared/sorting.ts'
import { GLYPH_KINDS, kindOf } from '../../../ui/kind.ts'
import { folderSizesStore } from './folder-sizes.ts'

export type SortKey = (item: ResourceItem) => number

const rankOf: SortKey = item => GLYPH_KINDS.indexOf(kindOf(item))

/**
 * What the items of a folder are sorted by where the server cannot know it: the kinds as the column shows them, and the
 * sizes once that of a folder among the items is known.
 */
export function sortKey(
  { by }: Pick<Sorting, 'by'>,
  items: readonly ResourceItem[],
  sizes = folderSizesStore.get(),
): SortKey | undefined {
  if (by === 'kind') return rankOf
  if (by !== 'size' || !items.some(({ isDir, path }) => isDir && sizes.has(path))) return undefined
  return ({ isDir, path, size }) => (isDir ? (sizes.get(path) ?? Number.NaN) : size)
}
