import { type Sorting, sortItems } from '../../../../shared/sorting.ts'
import type { ListedItem } from '../api/edit-listing.ts'
import { type SortKey, sortKey } from '../items/sort-key.ts'

/** Sorted rows with some more at their places. Compares few rows: sorting a large folder would block the page. */
export function addRows(
  rows: readonly ListedItem[],
  more: readonly ListedItem[],
  sorting: Sorting,
): readonly ListedItem[] {
  const all: ListedItem[] = []
  let from = 0
  const key = sortKey(sorting, rows)
  for (const row of sortItems(more, sorting, key)) {
    const place = placeOf(row, rows, from, sorting, key)
    all.push(...rows.slice(from, place), row)
    from = place
  }
  return [...all, ...rows.slice(from)]
}

/** The index of the first row, counted from `low`, that comes after another one. */
function placeOf(
  row: ListedItem,
  rows: readonly ListedItem[],
  low: number,
  sorting: Sorting,
  key: SortKey | undefined,
): number {
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = rows[middle]
    if (other && sortItems([other, row], sorting, key)[0] === other) low = middle + 1
    else high = middle
  }
  return low
}
